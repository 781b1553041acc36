/** The entries by which a host of Maestro, such as Gemini CLI, calls the hooks of Bridgedeck. */
import { AppError } from '@shared/contract/errors'
import { applyEdits } from '../../../formats/finding'
import { field, itemsOf, textOf, type Located } from '../../../formats/text/located'
import { parseLocatedJson } from '../../../formats/text/locatedJson'
import { spliceJson } from '../../../formats/text/splice'
import { StateText } from '../../../formats/text/stateFile'
import { hookEvents, type HookEvent, type HookFormat } from './hookEvents'

const TIMEOUT_MS = 10_000

const nameOf = (event: HookEvent): string => `bridgedeck-${event}`

const events = Object.keys(hookEvents) as HookEvent[]

const entryOf = (event: HookEvent, format: HookFormat) => ({
  matcher: '*',
  sequential: true,
  hooks: [
    {
      type: 'command',
      name: nameOf(event),
      command: `bridgedeck maestro hook ${event}${format === '1.2' ? '' : ` --format ${format}`}`,
      timeout: TIMEOUT_MS,
    },
  ],
})

/** A whole file with our entries alone. */
export const printHooks = (format: HookFormat): string =>
  `${JSON.stringify({ hooks: Object.fromEntries(events.map((event) => [hookEvents[event], [entryOf(event, format)]])) }, null, 2)}\n`

/**
 * The file with our entries, in the place of those that an earlier call wrote; all else in it stays.
 * @param before null where there is no such file
 * @throws AppError INVALID for a file that cannot be extended
 */
export function installHooks(file: string, before: string | null, format: HookFormat): string {
  if (before === null || before.trim() === '') return printHooks(format)
  let text = before
  for (const event of events) {
    const document = parseLocatedJson(new StateText(file, text))
    const path = ['hooks', hookEvents[event]]
    const hooks = field(document.root, 'hooks')
    const list = field(hooks, hookEvents[event])
    const isFit = document.root?.kind === 'map' && (!hooks || hooks.kind === 'map') && (!list || list.kind === 'list')
    if (!isFit || document.findings.some(({ severity }) => severity === 'error'))
      throw new AppError(
        'INVALID',
        `${file} is not JSON with a map of hooks; nothing was changed. maestro hooks print shows what to add by hand.`,
      )
    const known = itemsOf(list).findIndex((entry) => isOurs(entry, event))
    const entry = entryOf(event, format)
    const edits = list
      ? spliceJson(document, [...path, known < 0 ? itemsOf(list).length : known], entry)
      : spliceJson(document, path, [entry])
    text = applyEdits(text, edits)
  }
  return JSON.stringify(JSON.parse(text)) === JSON.stringify(JSON.parse(before)) ? before : text
}

/** An entry with hooks of others beside ours is theirs. */
const isOurs = (entry: Located, event: HookEvent): boolean => {
  const hooks = itemsOf(field(entry, 'hooks'))
  return hooks.length === 1 && textOf(field(hooks[0], 'name')) === nameOf(event)
}
