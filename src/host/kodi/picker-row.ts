import type { Badge, PickerRow } from '../port.ts';
import { rowFacts } from '../shown-rows.ts';
import { coloured, kodiLabel } from './text.ts';
import type { WindowListRow } from './windows.ts';

const LABEL_COLOUR = 'FF8FA0B3';
const REJECTION_COLOUR = 'FFFF9E8A';
// As the marks in the row.
const DOWNLOADED_COLOUR = 'FF4ADE80';
const PACK_COLOUR = 'FFFFC857';
const WATCHED_COLOUR = 'FF7CC4FF';
const BADGE_KINDS: readonly Badge['kind'][] = ['resolution', 'source', 'hdr', 'codec', 'audio', 'edition'];

/** A row as slipstream-picker.xml reads it: a property for each thing it shows, empty where there is nothing. */
export function kodiListRow(row: PickerRow): Required<WindowListRow> {
  return {
    id: row.id,
    label: kodiLabel(row.name),
    properties: {
      ...Object.fromEntries(BADGE_KINDS.map((kind) => [kind, badgeText(row.badges, kind)])),
      size: kodiLabel(row.size),
      facts: kodiLabel(rowFacts(row)),
      downloaded: row.downloaded ? 'true' : '',
      pack: row.pack ? 'true' : '',
      rejection: kodiLabel(row.rejections[0] ?? ''),
      details: detailsText(row),
    },
  };
}

/** Badges of one kind share a place: "DV HDR10". */
function badgeText(badges: readonly Badge[], kind: Badge['kind']): string {
  return kodiLabel(
    badges
      .filter((badge) => badge.kind === kind)
      .map(({ text }) => text)
      .join(' '),
  );
}

/** What the pane beside the list shows: that it failed, every reason against the row, its marks, then all that is known of it. */
function detailsText({
  failed = '',
  watched = '',
  rejections,
  downloaded,
  pack,
  details,
}: PickerRow): string {
  const against = [failed.replace(/^f/, 'F'), ...rejections].filter((reason) => reason !== '');
  const reasons = against.map((reason) => coloured(REJECTION_COLOUR, kodiLabel(reason)));
  const marks = [
    ...(watched === ''
      ? []
      : [coloured(WATCHED_COLOUR, `You ${kodiLabel(watched.replace('left', 'left it'))}`)]),
    ...(downloaded ? [coloured(DOWNLOADED_COLOUR, 'Downloaded already')] : []),
    ...(pack ? [coloured(PACK_COLOUR, 'Season pack')] : []),
  ];
  const known = details.map(
    ({ label, value }) => `${coloured(LABEL_COLOUR, kodiLabel(label))}  ${kodiLabel(value)}`,
  );
  return [reasons, marks, known]
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('[CR]'))
    .join('[CR][CR]');
}
