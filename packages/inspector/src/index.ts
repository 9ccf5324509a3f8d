export { startInspector, type Inspector, type InspectorOptions } from './server/server.ts';
export { renderStatic, type StaticOptions } from './static/render-static.ts';
export { fileRef } from './reader/file-ref.ts';
