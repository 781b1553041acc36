import { AppError } from '@shared/contract/errors'
import type { HookFormat } from '@shared/hookFormats'
import { applyEdits } from '../../finding'
import { at, entriesOf, field, itemsOf, textOf, type Located, type LocatedDocument } from '../../text/located'
import { parseLocatedJson } from '../../text/locatedJson'
import { spliceJson } from '../../text/splice'
import { StateText } from '../../text/stateFile'

export const hookEvents = {
  'session-start': 'SessionStart',
  'before-agent': 'BeforeAgent',
  'after-agent': 'AfterAgent',
  'session-end': 'SessionEnd',
} as const
export type HookEvent = keyof typeof hookEvents

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

export const printHooks = (format: HookFormat): string =>
  `${JSON.stringify({ hooks: Object.fromEntries(events.map((event) => [hookEvents[event], [entryOf(event, format)]])) }, null, 2)}\n`

/**
 * Replaces entries of an earlier call.
 * @param before null where there is no such file
 * @throws AppError INVALID for a file that cannot be extended
 */
export function installHooks(file: string, before: string | null, format: HookFormat): string {
  if (before === null || before.trim() === '') return printHooks(format)
  let text = before
  for (const event of events) {
    const document = openHooks(file, text)
    const path = ['hooks', hookEvents[event]]
    const list = at(document.root, ...path)
    const known = itemsOf(list).findIndex((entry) => isOurs(entry, event))
    const entry = entryOf(event, format)
    const edits = list
      ? spliceJson(document, [...path, known < 0 ? itemsOf(list).length : known], entry)
      : spliceJson(document, path, [entry])
    text = applyEdits(text, edits)
  }
  return JSON.stringify(JSON.parse(text)) === JSON.stringify(JSON.parse(before)) ? before : text
}

/**
 * Lists that are empty then go too.
 * @throws AppError INVALID like {@link installHooks}
 */
export function removeHooks(file: string, before: string): string {
  let text = before
  for (const event of events) {
    for (;;) {
      const document = openHooks(file, text)
      const path = ['hooks', hookEvents[event]]
      const list = itemsOf(at(document.root, ...path))
      const known = list.findIndex((entry) => isOurs(entry, event))
      if (known < 0) break
      const isLast = entriesOf(field(document.root, 'hooks')).length === 1
      const unwanted = list.length > 1 ? [...path, known] : isLast ? ['hooks'] : path
      text = applyEdits(text, spliceJson(document, unwanted, undefined))
    }
  }
  return text
}

export function hooksIn(file: string, text: string): { readonly event: HookEvent; readonly command: string }[] {
  const { root } = parseLocatedJson(new StateText(file, text))
  return events.flatMap((event) => {
    const entry = itemsOf(at(root, 'hooks', hookEvents[event])).find((each) => isOurs(each, event))
    return entry ? [{ event, command: textOf(at(entry, 'hooks', 0, 'command')) ?? '' }] : []
  })
}

/** @throws AppError INVALID */
function openHooks(file: string, text: string): LocatedDocument {
  const document = parseLocatedJson(new StateText(file, text))
  const hooks = field(document.root, 'hooks')
  const isFit =
    document.isWhole &&
    document.root?.kind === 'map' &&
    (!hooks || hooks.kind === 'map') &&
    events.every((event) => (field(hooks, hookEvents[event])?.kind ?? 'list') === 'list')
  if (isFit) return document
  throw new AppError(
    'INVALID',
    `${file} is not JSON with a map of hooks; nothing was changed. maestro hooks print shows what to add by hand.`,
  )
}

/** An entry that also has hooks of others is theirs. */
const isOurs = (entry: Located, event: HookEvent): boolean => {
  const hooks = itemsOf(field(entry, 'hooks'))
  return hooks.length === 1 && textOf(field(hooks[0], 'name')) === nameOf(event)
}
