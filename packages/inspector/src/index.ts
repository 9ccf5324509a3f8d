export { startInspector, type Inspector, type InspectorOptions } from './server/server.ts';
export { fileRef } from './reader/file-ref.ts';
