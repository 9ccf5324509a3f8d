import { call, reply, type Model, type Reply } from '@rethread/simulator';

import { FAREWELL, ROUNDS, TOOLS } from './errand.ts';

/** Asks for one round after another, as far as the results show that they are done. No two answers are the same. */
export const errandModel: Model = ({ body, n }): Reply => {
  const sent = JSON.stringify(body);
  const round = Array.from({ length: ROUNDS }, (_, index) => index).find(
    (index) => !sent.includes(`receipt of round-${index}:`),
  );
  if (round === undefined) return reply(`${FAREWELL}, and answer ${n} was the last one.`);
  const calls = Object.keys(TOOLS).map((tool) => call(tool, { round, token: `${n}-${tool}` }));
  return reply(`Answer ${n} begins round ${round} of the errand with all tools at once.`, ...calls);
};
