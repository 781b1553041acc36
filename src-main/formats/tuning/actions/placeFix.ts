import { AppError } from '@shared/contract/errors'
import type { ActionPlan } from '../../edit/action'
import type { Offer, Values } from '../../edit/offer'
import { quote } from '../../finding'
import { field, itemsOf, plain, textOf, type Located } from '../../text/located'
import { newlineOf } from '../../text/splice'
import { pathIn, requireSkillFolder, unifiedDiff } from '../fix'
import { provenChanges } from '../ask/provenChanges'
import { isUnplaced, unplacedChanges, type UnplacedChange } from '../unplaced'
import { latestApplied, placeOf, StateDraft, type TuningRun } from './tuningRun'

const MAX_FILES = 500

const byAgent = (id: string): string => `an agent places ${id}`

export const isPlacedByAgent = (remembered: { get(name: string): string | undefined }, id: string): boolean =>
  remembered.get(byAgent(id)) !== undefined

export function placeFix(run: TuningRun): Offer[] {
  const { files, state, status } = run
  if (status !== 'running') return []
  const applied = new Set(latestApplied(run).map(({ id }) => id))
  return itemsOf(field(state.root, 'proposed_fixes')).flatMap((node, index) => {
    const id = textOf(field(node, 'id'))
    const unplaced = unplacedChanges(files, state, node)
    return id === undefined || applied.has(id) || unplaced.length === 0
      ? []
      : [offerFor(run, { id, node, index, unplaced })]
  })
}

interface UnplacedFix {
  readonly id: string
  readonly node: Located
  readonly index: number
  readonly unplaced: readonly UnplacedChange[]
}

function offerFor(run: TuningRun, fix: UnplacedFix): Offer {
  const { id, node, unplaced } = fix
  const matched = [...new Set(unplaced.flatMap(({ files }) => files))].slice(0, MAX_FILES)
  const named = [...new Set(unplaced.map((change) => change.named))].join(', ')
  const canAppend = matched.length > 0 && unplaced.every(({ lines }) => lines.length > 0)
  const canSpread = matched.length > 0 && unplaced.every(({ hasPlace }) => hasPlace)
  return {
    name: 'place-fix',
    target: id,
    title: `Place ${id}`,
    effect: `${id} does not say where in ${named} its change belongs. Its place is written into the proposal; the skill does not change yet.`,
    fields: [
      {
        name: 'how',
        label: 'Place',
        kind: 'choice',
        value: canAppend ? 'append' : canSpread ? 'each' : 'agent',
        options: [
          ...(canAppend ? [{ value: 'append', label: 'Append its lines at the end' }] : []),
          ...(canSpread ? [{ value: 'each', label: 'Change each of the files' }] : []),
          { value: 'agent', label: 'Ask an agent at the next start (role: fixer)' },
        ],
      },
      ...(matched.length > 1
        ? [
            {
              name: 'files',
              label: 'Files',
              kind: 'several' as const,
              value: matched,
              options: matched.map((file) => ({ value: file, label: file })),
              help: `Matched by ${named}.`.slice(0, 2_000),
              optional: true as const,
            },
          ]
        : []),
    ],
    source: placeOf(run, node),
    answersNeed: false,
    plan: (values) => planPlace(run, fix, matched, values),
  }
}

function planPlace(run: TuningRun, fix: UnplacedFix, matched: readonly string[], values: Values): ActionPlan {
  const { id, node } = fix
  if (values.text('how') === 'agent')
    return {
      summary: `Let an agent place ${id}`,
      changes: [],
      warnings: [],
      remember: { [byAgent(id)]: 'yes' },
    }
  const chosen = new Set(matched.length > 1 ? values.several('files') : matched)
  const placed = itemsOf(field(node, 'changes')).flatMap((change) => (isUnplaced(change) ? [] : [plain(change)]))
  const added = new Map<string, string[]>()
  for (const { change, files, lines, hasPlace } of fix.unplaced)
    for (const file of files.filter((one) => chosen.has(one)))
      if (hasPlace) placed.push({ ...asObject(plain(change)), file })
      else added.set(file, [...(added.get(file) ?? []), ...lines])
  for (const [file, lines] of added) placed.push({ file, action: 'modify', diff: appended(run, file, lines) })
  return planPlaced(run, id, placed, values)
}

const asObject = (value: unknown): object => (typeof value === 'object' && value !== null ? value : {})

/** @throws AppError CONFLICT when there is no such file in the skill */
function appended({ files, state }: TuningRun, named: string, lines: readonly string[]): string {
  const path = pathIn(requireSkillFolder(files, state), files.candidate.folder, named)
  const text = path === undefined ? undefined : files.files.get(path)?.text
  if (typeof text !== 'string')
    throw new AppError('CONFLICT', `${quote(named)} is not a text file of the skill.`, {
      hint: 'Make the change in an editor.',
    })
  const newline = newlineOf(text)
  const end = text === '' || text.endsWith('\n') ? '' : newline
  const diff = unifiedDiff(named, text, `${text}${end}${newline}${lines.join(newline)}${newline}`)
  if (diff === undefined) throw new AppError('CONFLICT', `The lines for ${named} are too many to append.`)
  return diff
}

/**
 * @param described the fix's changes, now with their places
 * @throws AppError CONFLICT when they do not fit the skill
 */
export function planPlaced(run: TuningRun, id: string, described: readonly unknown[], values: Values): ActionPlan {
  const fixes = itemsOf(field(run.state.root, 'proposed_fixes'))
  const index = fixes.findIndex((node) => textOf(field(node, 'id')) === id)
  const { changes } = provenChanges(run, described, [])
  const draft = new StateDraft(run, values)
  draft.set(['proposed_fixes', index, 'changes'], [...changes])
  return draft.finish(`Placed ${id}`, [], { [byAgent(id)]: null })
}
