export * from '@rethread/core/resume';
