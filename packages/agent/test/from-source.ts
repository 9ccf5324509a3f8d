import { registerHooks } from 'node:module';

/** Runs a child process on the sources, like the tests, not on the last build. */
registerHooks({
  resolve: (specifier, context, next) => {
    const name = /^@rethread\/(\w+)$/.exec(specifier)?.[1];
    if (name === undefined) return next(specifier, context);
    return next(new URL(`../../${name}/src/index.ts`, import.meta.url).href, context);
  },
});
