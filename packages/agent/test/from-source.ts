import { registerHooks } from 'node:module';

/** Lets a child process run on the sources, as the tests do, and not on what was built last. */
registerHooks({
  resolve: (specifier, context, next) => {
    const name = /^@rethread\/(\w+)$/.exec(specifier)?.[1];
    if (name === undefined) return next(specifier, context);
    return next(new URL(`../../${name}/src/index.ts`, import.meta.url).href, context);
  },
});
