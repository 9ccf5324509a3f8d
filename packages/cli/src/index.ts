export * from '@rethread/core';
