import { call, reasoning, reply, type Model, type Reply } from '@rethread/simulator';

import { FAREWELL, ROUNDS, TOOLS } from './errand.ts';

/**
 * Asks for one round after another, as far as the results show that they are done. Request numbers and words do not
 * count, because an interrupted answer is requested again.
 */
export const errandModel: Model = ({ body, n }): Reply => {
  const sent = JSON.stringify(body);
  const rounds = Array.from({ length: ROUNDS }, (_, index) => index);
  const round = rounds.find((index) => !sent.includes(`receipt of round-${index}:`));
  if (round === undefined) return reply(FAREWELL);
  const calls = Object.keys(TOOLS).map((tool) => call(tool, { round, token: `${n}-${tool}` }));
  return reply(reasoning('All four are needed, and none waits for another.'), 'Now all of them at once …', ...calls);
};
