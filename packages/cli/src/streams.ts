export * from '@rethread/core/streams';
