import assert from 'node:assert/strict';

const major = Number(process.versions.node.split('.')[0]);
assert(major >= 22, `the tests need Node 22 or newer, and this is ${process.version}: start them with npm test`);
