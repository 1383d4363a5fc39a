import { asSlipstreamError, SlipstreamError } from '../../../errors/index.ts';
import type { Logger } from '../../../log/index.ts';
import type { PathMapping } from '../../../settings/path-mappings.ts';
import { type DownloadClientConfig, NAME } from '../config.ts';
import type { NzbgetApi } from '../rpc.ts';
import type { ConfigOption } from '../rpc-schema.ts';
import { type PathRule, parsePathRule } from './mapping.ts';

/**
 * The rules of the settings and of the list beside them. NZBGet is asked for its DestDir only when the settings leave it
 * open.
 * @throws NOT_CONFIGURED, INVALID_REQUEST; what NzbgetApi.config throws
 */
export async function readPathRules(
  config: DownloadClientConfig,
  api: NzbgetApi,
  { signal, log }: { readonly signal: AbortSignal; readonly log: Logger },
): Promise<readonly PathRule[]> {
  const rules = config.mappings.flatMap((mapping) => usableRule(mapping, log));
  if (config.folder === '') {
    if (rules.length === 0) throw noFolderError(' in the settings of Slipstream (Backends)');
    return rules;
  }
  const from = config.serverFolder === '' ? destDir(await api.config(signal)) : config.serverFolder;
  return [pathRuleOf(from, config.folder), ...rules];
}

/** A further folder that cannot be used must not stop what plays without it; the connection test tells of it. */
function usableRule({ from, to }: PathMapping, log: Logger): PathRule[] {
  try {
    return [pathRuleOf(from, to)];
  } catch (error) {
    log.warning(`path-mappings: the folder for ${from} is left out: ${asSlipstreamError(error).message}`);
    return [];
  }
}

/** @throws INVALID_REQUEST */
export function pathRuleOf(from: string, to: string): PathRule {
  const rule = parsePathRule({ from, to });
  if (rule !== undefined) return rule;
  throw new SlipstreamError('INVALID_REQUEST', {
    what: `"${from}" is no full path as ${NAME} writes them.`,
    next: `Copy the folder from the settings of ${NAME}, Paths, for example /downloads/completed.`,
  });
}

/** Where NZBGet puts what it has finished. @throws INVALID_REQUEST when it does not tell */
export function destDir(options: readonly ConfigOption[]): string {
  const value = options.find(({ name }) => name === 'DestDir')?.value ?? '';
  if (value !== '') return value;
  throw new SlipstreamError('INVALID_REQUEST', {
    what: `${NAME} does not say where it puts finished downloads.`,
    next: `Enter "The same folder in ${NAME}".`,
  });
}

/** @param where " in the settings"; empty: the field is in view. */
export const noFolderError = (where: string): SlipstreamError =>
  new SlipstreamError('NOT_CONFIGURED', {
    what: `Slipstream does not know where to find what ${NAME} has finished.`,
    next: `Enter the folder of finished downloads${where}.`,
  });
