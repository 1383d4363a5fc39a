import type { Logger } from '../../src/log/index.ts';
import type { ManagerOptions, SourceOptions } from '../../src/search/sources/common/options.ts';
import type { SearchSource, SourceManager, TestableSource } from '../../src/search/sources/source.ts';

type MakeManager = (options: ManagerOptions, log: Logger) => SourceManager & TestableSource;

/**
 * The first source behind a manager, or all as one where it does not tell them apart, as if it were set up by itself:
 * so that it can pass the contract of all sources. It is listed once, when it is first asked.
 */
export function singleMember(make: MakeManager) {
  return (options: SourceOptions, log: Logger): SearchSource & TestableSource => {
    const manager = make({ ...options, memberTimeout: options.timeout }, log);
    let listed: SearchSource | undefined;
    const member = async (signal: AbortSignal) => (listed ??= await first(manager, signal));
    return {
      id: manager.id,
      name: manager.name,
      capabilities: async (signal) => await (await member(signal)).capabilities(signal),
      ask: async (query, signal) => await (await member(signal)).ask(query, signal),
      test: (signal) => manager.test(signal),
    };
  };
}

async function first(manager: SourceManager, signal: AbortSignal): Promise<SearchSource> {
  const behind = await manager.members(signal);
  const member = 'isAggregate' in behind ? behind : behind[0];
  if (member === undefined) throw new Error('nobody is behind it');
  return member;
}
