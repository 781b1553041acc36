import { didYouMean } from '../nearestName'

/** Synonyms: one that an operation lacks stands for the one that it has. */
const words: readonly (readonly string[])[] = [
  ['address', 'start', 'addr', 'location', 'offset', 'addresses'],
  ['range', 'address', 'start', 'end', 'region', 'from'],
  ['length', 'count', 'size', 'len', 'end', 'range', 'instructions'],
  ['count', 'length', 'frames', 'times', 'steps'],
  ['bytes', 'data', 'value', 'values', 'hex'],
  ['value', 'bytes', 'data'],
  ['query', 'pattern', 'bytes', 'needle', 'search', 'value'],
  ['find', 'query', 'filter', 'search'],
  ['as', 'type', 'format', 'encoding'],
  ['before', 'name', 'snapshot'],
  ['source', 'code', 'program', 'text', 'asm'],
  ['file', 'path', 'filename', 'filepath', 'image', 'name'],
  ['path', 'file', 'filename'],
  ['folder', 'path', 'dir', 'directory', 'project'],
  ['name', 'register', 'snapshot', 'id', 'item'],
  ['number', 'id', 'index', 'checkpoint'],
  ['line', 'instruction', 'code', 'source', 'text'],
  ['unit', 'frames', 'lines', 'instructions'],
  ['to_write', 'address'],
  ['condition', 'if', 'expression'],
  ['on', 'access', 'type', 'op_type'],
  ['return', 'enter', 'newline', 'press_return'],
  ['hold', 'duration', 'ms', 'duration_ms', 'time', 'length'],
  ['keys', 'key'],
  ['inputs', 'direction', 'directions', 'button', 'buttons', 'joystick'],
  ['sprite', 'number', 'index', 'id', 'sprite_number'],
  ['colour', 'color'],
  ['power', 'enabled', 'enable', 'on', 'visible', 'state'],
  ['state', 'on', 'enabled', 'enable', 'value'],
  ['row', 'y', 'line'],
  ['column', 'col', 'x'],
  ['note', 'frequency', 'freq', 'pitch', 'hz'],
  ['volume', 'value', 'level'],
  ['kind', 'type', 'mode'],
  ['standard', 'value', 'system', 'mode'],
  ['operation', 'task', 'name', 'type'],
  ['recording', 'name', 'id'],
  ['wait_for', 'text', 'until', 'wait'],
]

/**
 * ` Did you mean length?`, or empty.
 * @param names possible replacements
 */
export function meantArgument(given: string, names: readonly string[]): string {
  const meant = words.flatMap((group) => (group.includes(given) ? group.filter((word) => names.includes(word)) : []))
  const [one, other] = [...new Set(meant)]
  if (one === undefined) return didYouMean(given, names)
  return ` Did you mean ${other === undefined ? one : `${one} or ${other}`}?`
}
