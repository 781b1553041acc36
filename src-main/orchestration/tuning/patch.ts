/** What a person does with a tuning run: choose, apply, verify and take back fixes, and end it or go on. */
import { AppError } from '@shared/contract/errors'
import type { Json } from '../../files/json'
import type { Action, ActionPlan, ActionRequest } from '../edits/action'
import { Draft } from '../edits/draft'
import type { RunFiles } from '../format'
import { within } from '../listing'
import { at, booleanOf, field, foldDotted, itemsOf, numberOf, stringOf, textOf, type Located } from '../text/located'
import { parseLocatedJson } from '../text/locatedJson'
import { listed, planOffer, sorted, type Offer, type Offers, type Refusal, type Values } from '../edits/offer'
import { projectPath } from '../text/namedPath'
import type { Need, Source } from '../run'
import { pathTo } from '../text/splice'
import { StateText } from '../text/stateFile'
import { applyChange, backupFolder, changesOf, fixBackup, fixNode, isPlainId, markerOf, modified, skillFolder, unmodified, withMarker, withoutMarker, type Change } from './fix'
import { read } from './read'
import { diagnosisAreas, ROLLED_BACK, USER_EXIT } from './schema'
import { healthScore, severities, type Severity } from './scores'
import { documentOf, openState, type TuningState } from './state'

export const actions = (files: RunFiles): Action[] => listed(offersFor(files))
export const plan = (files: RunFiles, request: ActionRequest): ActionPlan => planOffer(offersFor(files), request)

/** Files of a skill's backup that a run is read with, so that it can be restored; a bigger one is restored by hand. */
const MOST_BACKUP = 200
/** Changes of all fixes whose files a run is read with. */
const MOST_CHANGES = 500

/** What the actions need beside the state: the files that open fixes change, their backups, and what is written beside the state. */
export function named(files: RunFiles): string[] {
  const { candidate, listing } = files
  const file = within(candidate.marker, 'state.json')
  const document = documentOf(file, files.files.get(file))
  const { root } = foldDotted(document.root)
  const state = { root } as const
  const wanted = new Set(['abort-report.md', 'errors.json', 'fixes/applied-fixes.json'].map((name) => within(candidate.marker, name)))
  const skill = skillFolder(files, state)
  const fixes = [...itemsOf(field(root, 'proposed_fixes'))].slice(0, MOST_CHANGES)
  for (const fix of skill === undefined ? [] : fixes) {
    const id = textOf(field(fix, 'id'))
    for (const change of attempt(() => changesOf(files, state, fix)) ?? []) {
      if (wanted.size > 2 * MOST_CHANGES) break
      wanted.add(change.path)
      if (id !== undefined && isPlainId(id)) wanted.add(within(fixBackup(files, state, id), change.relative))
    }
  }
  for (const applied of itemsOf(field(root, 'applied_fixes'))) {
    const folder = backupOf(files, state, applied)
    if (folder === undefined || booleanOf(field(applied, 'rollback_available')) !== true) continue
    for (const path of listing.below(folder).slice(0, MOST_BACKUP)) wanted.add(path)
  }
  const backup = wholeBackup(files, state)
  if (skill !== undefined && backup.length <= MOST_BACKUP) for (const { from, to } of backup) wanted.add(from).add(to)
  return [...wanted].filter((path) => listing.hasFile(path) && path !== file)
}

function attempt<Result>(action: () => Result): Result | undefined {
  try {
    return action()
  } catch (error) {
    if (error instanceof AppError) return undefined
    throw error
  }
}

/** The copy of what a fix changed; only one in the project. */
function backupOf(files: RunFiles, state: Pick<TuningState, 'root'>, applied: Located): string | undefined {
  const path = stringOf(field(applied, 'backup_path'))
  const folder = path === undefined || path === '' ? undefined : projectPath(files.candidate.folder, path)
  const id = textOf(field(applied, 'fix_id'))
  return folder ?? (id !== undefined && isPlainId(id) ? fixBackup(files, state, id) : undefined)
}

/** The copies of the whole skill's files and where they belong; those of single fixes lie among them and are none. */
function wholeBackup(files: RunFiles, state: Pick<TuningState, 'root'>): { readonly from: string; readonly to: string }[] {
  const skill = skillFolder(files, state)
  const backup = backupFolder(files, state)
  if (skill === undefined || backup === files.candidate.folder) return []
  return files.listing.below(backup).flatMap((from) => {
    const relative = from.slice(backup.length + 1)
    return relative.startsWith('before-') ? [] : [{ from, to: within(skill, relative) }]
  })
}

interface Run {
  readonly files: RunFiles
  readonly state: TuningState
  readonly status: string | undefined
  readonly need: Need | undefined
}

function offersFor(files: RunFiles): Offers {
  const state = openState(files)
  if (files.candidate.archived || state.root?.kind !== 'map') return { offers: [], refusals: [] }
  const run: Run = { files, state, status: textOf(field(state.root, 'status')), need: read(files).view.needs[0] }
  const entries = [...selectFixes(run), ...applyNext(run), ...appliedFixes(run), ...goOn(run), ...clarify(run), ...resume(run), ...leave(run), ...abort(run)]
  return sorted(entries)
}

/** Changes of state.json, by the names and places in it; each plan sets the time of the state as well. */
class StateDraft extends Draft {
  readonly #state: TuningState
  readonly #values: Values

  constructor({ files, state }: Run, values: Values) {
    super(files)
    this.#state = state
    this.#values = values
  }

  /** At a path of the values as they are meant; where that is a literal key with dots, there. */
  set(path: readonly (string | number)[], value: Json | undefined): void {
    const { file, root, document } = this.#state
    const node = at(root, ...path)
    const parent = at(root, ...path.slice(0, -1))
    const last = path.at(-1)
    if (node) this.json(file, pathTo(document, node), value)
    else if (value !== undefined && last !== undefined) this.json(file, [...(parent ? pathTo(document, parent) : path.slice(0, -1)), last], value)
  }

  finish(summary: string, warnings: readonly string[] = [], remember?: ActionPlan['remember']): ActionPlan {
    this.set(['updated_at'], this.#values.time)
    return { summary, changes: this.changes, warnings, ...(remember ? { remember } : {}) }
  }
}

const answers = ({ need }: Run, kind: Need['kind'], title: string) => (need?.kind === kind && need.title === title ? need : undefined)
const placeOf = ({ state: { document, file } }: Run, node: Located | undefined): Source => (node ? document.source(node) : { file })

const idsOf = (node: Located | undefined): string[] => itemsOf(node).flatMap((item) => textOf(item) ?? [])

/** The entries of `applied_fixes`, with the index of each; the last of a fix is what counts. */
function latestApplied({ state: { root } }: Run): { readonly id: string; readonly node: Located; readonly index: number }[] {
  const latest = new Map<string, { id: string; node: Located; index: number }>()
  itemsOf(field(root, 'applied_fixes')).forEach((node, index) => {
    const id = textOf(field(node, 'fix_id'))
    if (id !== undefined) latest.set(id, { id, node, index })
  })
  return [...latest.values()]
}

/** Applied and neither failed nor taken back. */
const isInEffect = (node: Located): boolean => {
  const result = textOf(field(node, 'verification_result'))
  return booleanOf(field(node, 'success')) !== false && result !== 'fail' && result !== ROLLED_BACK
}

function selectFixes(run: Run): Offer[] {
  const { root } = run.state
  const inEffect = new Set(latestApplied(run).flatMap(({ id, node }) => (isInEffect(node) ? [id] : [])))
  const proposed = itemsOf(field(root, 'proposed_fixes')).flatMap((node) => {
    const id = textOf(field(node, 'id'))
    return id === undefined || inEffect.has(id) ? [] : [{ id, label: [id, textOf(field(node, 'description'))].filter(Boolean).join(': ') }]
  })
  if (run.status !== 'running' || proposed.length === 0) return []
  const pending = idsOf(field(root, 'pending_fixes'))
  const need = answers(run, 'approval', 'Choose the fixes to apply')
  return [
    {
      name: 'select-fixes',
      target: '',
      title: 'Choose the fixes to apply',
      effect: 'The fixes chosen wait to be applied, one after the other; nothing in the skill changes yet.',
      fields: [{ name: 'fixes', label: 'Fixes', kind: 'several', value: pending, options: proposed.slice(0, MOST_CHANGES).map(({ id, label }) => ({ value: id, label })), optional: true }],
      source: need?.source ?? placeOf(run, field(root, 'pending_fixes')),
      answersNeed: need !== undefined,
      plan: (values) => {
        const draft = new StateDraft(run, values)
        const chosen = values.several('fixes')
        draft.set(['pending_fixes'], [...chosen])
        return draft.finish(chosen.length === 0 ? 'Chose no fix' : `Chose ${chosen.join(', ')}`, chosen.length === 0 ? ['Without a fix chosen the run asks for fixes again, without end: end it or leave it.'] : [])
      },
    },
  ]
}

function applyNext(run: Run): (Offer | Refusal)[] {
  const { files, state, status } = run
  const pending = idsOf(field(state.root, 'pending_fixes'))
  const [next, ...later] = pending
  const refusals = later.map((id): Refusal => ({ name: 'apply-fix', target: id, because: `${next ?? ''} is to be applied before ${id}.`, hint: 'Fixes are applied in the order in which they wait; choose the fixes anew to change it.' }))
  const node = next === undefined ? undefined : fixNode(state, next)
  if (status !== 'running' || next === undefined) return []
  if (!node) return [{ name: 'apply-fix', target: next, because: `${next} is none of the fixes that were proposed.`, hint: 'Choose the fixes anew.' }, ...refusals]
  if (!isPlainId(next)) return [{ name: 'apply-fix', target: next, because: 'The id of the fix cannot name a folder for its backup.', hint: 'Change the id in an editor to letters, digits and dashes.' }, ...refusals]
  const description = textOf(field(node, 'description')) ?? ''
  return [
    {
      name: 'apply-fix',
      target: next,
      title: `Apply ${next}${description === '' ? '' : `: ${description}`}`,
      effect: 'Its changes are made in the skill’s files, after a copy of each was kept; it then waits to be verified.',
      fields: [
        {
          name: 'also',
          label: 'Write as well',
          kind: 'several',
          value: [],
          options: [{ value: 'marker', label: 'A comment at the end of each changed file, by which the original skill tuning finds the fix' }],
          optional: true,
        },
      ],
      source: placeOf(run, node),
      answersNeed: false,
      plan: (values) => {
        const changes = changesOf(files, state, node)
        if (changes.length === 0) throw new AppError('CONFLICT', `${next} has no changes.`, { hint: 'Make the change in an editor, or choose other fixes.' })
        const skill = new Draft(files)
        for (const change of changes) applyChange(skill, change)
        const draft = new StateDraft(run, values)
        const folder = fixBackup(files, state, next)
        const touched = skill.changes
        for (const { file, before } of touched) if (before !== null) draft.write(backupPath(folder, changes, file), before)
        for (const { file, before, after } of touched) {
          const marked = before !== null && after !== null && values.several('also').includes('marker')
          draft.write(file, marked ? withMarker(after, next, description) : after)
        }
        const entry = {
          fix_id: next,
          applied_at: values.time,
          success: true,
          backup_path: folder,
          verification_result: 'pending',
          rollback_available: true,
          changes_made: touched.map(({ file, before, after }) => ({
            file: changes.find(({ path }) => path === file)?.relative ?? file,
            action: before === null ? 'created' : after === null ? 'deleted' : 'modified',
            backup: before === null ? null : backupPath(folder, changes, file),
          })),
        }
        draft.set(['applied_fixes', itemsOf(field(state.root, 'applied_fixes')).length], entry)
        draft.set(['pending_fixes'], pending.filter((id) => id !== next))
        const { warnings } = appendApplied(run, draft, entry)
        return draft.finish(`Applied ${next}`, warnings)
      },
    },
    ...refusals,
  ]
}

const backupPath = (folder: string, changes: readonly Change[], file: string): string => within(folder, changes.find(({ path }) => path === file)?.relative ?? file)

const appliedList = ({ files }: Run): string => within(files.candidate.marker, 'fixes/applied-fixes.json')

/** Where a list of applied fixes is in fixes/applied-fixes.json: the whole, or under the state's own name. */
function listIn(text: StateText): { readonly path: readonly string[]; readonly items: readonly Located[] } | undefined {
  const { root } = parseLocatedJson(text)
  if (root?.kind === 'list') return { path: [], items: root.items }
  const list = field(root, 'applied_fixes')
  return list?.kind === 'list' ? { path: ['applied_fixes'], items: list.items } : undefined
}

function appendApplied(run: Run, draft: Draft, entry: Json): { warnings: string[] } {
  const file = appliedList(run)
  if (!draft.has(file)) {
    draft.write(file, `${JSON.stringify([entry], undefined, 2)}\n`)
    return { warnings: [] }
  }
  const list = listIn(draft.text(file))
  if (!list) return { warnings: [`${file} is no list of fixes and stays as it is.`] }
  draft.json(file, [...list.path, list.items.length], entry)
  return { warnings: [] }
}

/** The last entry of a fix in fixes/applied-fixes.json, as far as there is one. */
function updateApplied(run: Run, draft: Draft, id: string, values: Readonly<Record<string, Json>>): void {
  const file = appliedList(run)
  const list = draft.has(file) ? listIn(draft.text(file)) : undefined
  const index = list?.items.findLastIndex((item) => textOf(field(item, 'fix_id')) === id) ?? -1
  if (!list || index < 0) return
  for (const [name, value] of Object.entries(values)) draft.json(file, [...list.path, index, name], value)
}

function appliedFixes(run: Run): (Offer | Refusal)[] {
  return latestApplied(run).flatMap(({ id, node, index }) => [...verify(run, id, node, index), ...rollBack(run, id, node, index)])
}

/** The name under which the issues that a verified fix took off the list are remembered: the format has no place for them. */
const resolvedIssues = (id: string): string => `resolved issues of ${id}`

function verify(run: Run, id: string, applied: Located, index: number): (Offer | Refusal)[] {
  const { files, state } = run
  const { root, details } = state
  const result = textOf(field(applied, 'verification_result'))
  if (result !== 'pending' || run.status !== 'running') {
    return [{ name: 'verify-fix', target: id, because: result === 'pending' ? `The run is ${run.status ?? 'of no known status'}.` : `${id} is verified already: ${result ?? 'nothing'}.`, hint: 'Only an applied fix of a running run is verified.' }]
  }
  return [
    {
      name: 'verify-fix',
      target: id,
      title: `Verify ${id}`,
      effect: 'Looks whether its changes stand in the skill. If they do, the issues that it was for are taken off the list; score and gate are counted anew.',
      fields: [],
      source: placeOf(run, field(applied, 'verification_result')),
      answersNeed: false,
      plan: (values) => {
        const missing = missingChange(run, id, applied)
        const passed = missing === undefined
        const draft = new StateDraft(run, values)
        draft.set(['applied_fixes', index, 'verification_result'], passed ? 'pass' : 'fail')
        updateApplied(run, draft, id, { verification_result: passed ? 'pass' : 'fail' })
        const fix = fixNode(state, id)
        const solved = new Set(passed && fix ? idsOf(field(fix, 'issue_ids')) : [])
        const issues = itemsOf(field(root, 'issues'))
        const removed = issues.flatMap((issue, at) => (solved.has(textOf(field(issue, 'id')) ?? '') ? [at] : []))
        for (const at of removed.toReversed()) draft.set(['issues', at], undefined)
        if (removed.length > 0) count(draft, issues.filter((_, at) => !removed.includes(at)).map((issue) => textOf(field(issue, 'severity'))))
        // One verification of the original looks at all fixes that wait for it and counts as one iteration.
        const others = latestApplied(run).some((other) => other.id !== id && textOf(field(other.node, 'verification_result')) === 'pending')
        const iterations = numberOf(field(root, 'iteration_count')) ?? 0
        const most = numberOf(field(root, 'max_iterations')) ?? Infinity
        if (!others && iterations < most) draft.set(['iteration_count'], iterations + 1)
        const texts = removed.map((at) => {
          const issue = issues[at]
          return issue ? { at, text: state.document.text.text.slice(issue.start, issue.end) } : { at, text: '' }
        })
        return draft.finish(
          passed ? `Verified ${id}: passed` : `Verified ${id}: failed`,
          [
            ...(missing === undefined ? [] : [missing]),
            ...(solved.size > 0 && removed.length === 0 ? ['The issues that it was for are no longer in the list.'] : []),
            ...(passed && details.issues.length - removed.length === 0 ? ['No issues are left.'] : []),
          ],
          removed.length > 0 ? { [resolvedIssues(id)]: JSON.stringify(texts) } : undefined,
        )
      },
    },
  ]

  /** Why the fix is not in effect, or undefined when it is. */
  function missingChange(at: Run, fixId: string, entry: Located): string | undefined {
    const fix = fixNode(at.state, fixId)
    if (!fix) return `${fixId} is none of the fixes that were proposed, so its changes are not known.`
    const folder = backupOf(files, state, entry)
    for (const change of changesOf(files, state, fix)) {
      const draft = new Draft(files)
      const there = draft.has(change.path)
      if (change.action === 'delete' ? there : !there) return change.action === 'delete' ? `${change.path} is there again.` : `${change.path} is gone.`
      if (change.action !== 'modify') continue
      const { text } = draft.text(change.path)
      if (text.includes(markerOf(fixId)) || unmodified(text, change) !== undefined) continue
      const original = folder === undefined ? undefined : attempt(() => draft.text(within(folder, change.relative)).text)
      if (original === undefined || attempt(() => modified(original, change)) !== text) return `The lines that it changed in ${change.path} are not there.`
    }
    return undefined
  }
}

/** The counts, the score and the gate that the actions of skill tuning write. */
function count(draft: StateDraft, found: readonly (string | undefined)[]): void {
  const counts: Record<Severity, number> = { critical: 0, high: 0, medium: 0, low: 0 }
  for (const severity of severities) {
    counts[severity] = found.filter((one) => one === severity).length
    draft.set(['issues_by_severity', severity], counts[severity])
  }
  const { score, gate } = healthScore(counts)
  draft.set(['quality_score'], score)
  draft.set(['quality_gate'], gate)
}

/** Takes the changes of one fix back: files that it made are deleted, what was changed since is kept or the action is refused. */
function rollBack(run: Run, id: string, applied: Located, index: number): (Offer | Refusal)[] {
  const { files, state } = run
  const refuse = (because: string, hint: string): Refusal[] => [{ name: 'roll-back', target: id, because, hint }]
  if (booleanOf(field(applied, 'rollback_available')) !== true) return refuse(`${id} cannot be rolled back: ${textOf(field(applied, 'verification_result')) === ROLLED_BACK ? 'that was done already' : 'its entry says that it is not possible'}.`, 'Change the skill in an editor.')
  const folder = backupOf(files, state, applied)
  return [
    {
      name: 'roll-back',
      target: id,
      title: `Roll back ${id}`,
      effect: 'What it changed in the skill is as it was before, files that it made are deleted, and the issues that it was for are open again.',
      fields: [],
      source: placeOf(run, applied),
      answersNeed: false,
      plan: (values) => {
        const draft = new StateDraft(run, values)
        const warnings = takeBack(folder, draft)
        // The specification has no word for a fix that was taken back: it is one that is not in effect.
        draft.set(['applied_fixes', index, 'rollback_available'], false)
        draft.set(['applied_fixes', index, 'verification_result'], 'fail')
        updateApplied(run, draft, id, { rollback_available: false, verification_result: 'fail' })
        const restored = restoreIssues(draft)
        return draft.finish(`Rolled back ${id}`, [...warnings, ...restored.warnings], restored.remember)
      },
    },
  ]

  function takeBack(backup: string | undefined, draft: StateDraft): string[] {
    const fix = fixNode(state, id)
    const known = fix ? changesOf(files, state, fix) : []
    const skill = skillFolder(files, state)
    const made = itemsOf(field(applied, 'changes_made')).flatMap((node) => {
      const name = stringOf(field(node, 'file'))
      const path = skill === undefined || name === undefined ? undefined : projectPath(skill, name)
      return path === undefined ? [] : [{ path, action: stringOf(field(node, 'action')) }]
    })
    const copies = backup === undefined || skill === undefined ? [] : files.listing.below(backup).map((copy) => ({ copy, path: within(skill, copy.slice(backup.length + 1)) }))
    const created = new Set([...known.filter(({ action }) => action === 'create').map(({ path }) => path), ...made.filter(({ action }) => action === 'created').map(({ path }) => path)])
    if (copies.length === 0 && created.size === 0) throw new AppError('CONFLICT', `The copies that ${id} would be rolled back from are not there.`, { hint: `They were kept in ${backup ?? 'a folder outside the project'}. Change the skill in an editor.` })
    const warnings: string[] = []
    for (const path of created) {
      if (!draft.has(path)) continue
      const { text } = draft.text(path)
      const change = known.find((one) => one.path === path && one.action === 'create')
      if (change?.after !== withoutMarker(text, id)) throw new AppError('CONFLICT', `${path} was changed after ${id} had made it.`, { hint: 'Keep what is wanted of it elsewhere and delete it yourself, then roll back.' })
      draft.write(path, null)
    }
    for (const { copy, path } of copies) {
      const original = draft.text(copy).text
      if (!draft.has(path)) {
        if (!known.some((change) => change.path === path && change.action === 'delete') && !made.some((entry) => entry.path === path && entry.action === 'deleted')) warnings.push(`${path} was deleted since; it is there again as it was before ${id}.`)
        draft.write(path, original)
        continue
      }
      const written = draft.text(path).text
      const now = withoutMarker(written, id)
      const changes = known.filter((change) => change.path === path && change.action === 'modify')
      const applied = attempt(() => changes.reduce((text, change) => modified(text, change), original))
      if (now === original || now === applied) {
        draft.write(path, original)
        continue
      }
      const kept = changes.toReversed().reduce<string | undefined>((text, change) => (text === undefined ? undefined : unmodified(text, change)), now)
      if (kept === undefined || changes.length === 0) throw new AppError('CONFLICT', `${path} was changed after ${id} was applied, in the same lines.`, { hint: `Take the change back in an editor; the file as it was before is ${copy}.` })
      warnings.push(`${path} was changed after ${id} was applied: only the fix’s own lines are taken back.`)
      draft.write(path, kept)
    }
    return warnings
  }

  function restoreIssues(draft: StateDraft): { warnings: string[]; remember?: ActionPlan['remember'] } {
    if (textOf(field(applied, 'verification_result')) !== 'pass') return { warnings: [] }
    const kept = files.remembered?.get(resolvedIssues(id))
    const issues = itemsOf(field(state.root, 'issues'))
    const removed = kept === undefined ? undefined : attempt(() => parseResolved(kept))
    if (!removed) return { warnings: ['The issues that it had solved are written nowhere any more: the next diagnosis finds them again.'] }
    const present = new Set(issues.map((issue) => textOf(field(issue, 'id'))))
    const again = removed.filter(({ id: issueId }) => !present.has(issueId))
    again.forEach(({ value }, offset) => draft.set(['issues', issues.length + offset], value))
    count(draft, [...issues.map((issue) => textOf(field(issue, 'severity'))), ...again.map(({ severity }) => severity)])
    return { warnings: [], remember: { [resolvedIssues(id)]: null } }
  }
}

/** What {@link resolvedIssues} holds. @throws AppError when it is not that */
function parseResolved(text: string): { readonly id: string | undefined; readonly severity: string | undefined; readonly value: Json }[] {
  const entries = itemsOf(parseLocatedJson(new StateText('remembered', text)).root).map((entry) => stringOf(field(entry, 'text')) ?? '')
  return entries.map((issue) => {
    const { root } = parseLocatedJson(new StateText('remembered', issue))
    if (!root) throw new AppError('INVALID', 'What was remembered of the issues cannot be read.')
    return { id: textOf(field(root, 'id')), severity: textOf(field(root, 'severity')), value: JSON.parse(issue) as Json }
  })
}

function goOn(run: Run): Offer[] {
  const need = answers(run, 'question', 'Go on with another iteration')
  if (!need) return []
  return [
    {
      name: 'continue',
      target: '',
      title: 'Go on with another iteration, or end here',
      effect: 'Going on empties the four diagnoses, so that the skill is looked at anew. Ending sets the run to completed as it stands.',
      fields: [
        {
          name: 'go',
          label: 'Another iteration',
          kind: 'choice',
          value: 'yes',
          options: [
            { value: 'yes', label: 'Yes, diagnose again' },
            { value: 'no', label: 'No, this is enough' },
          ],
        },
      ],
      source: need.source,
      answersNeed: true,
      plan: (values) => {
        const draft = new StateDraft(run, values)
        if (values.text('go') === 'yes') {
          for (const area of diagnosisAreas) draft.set(['diagnosis', area], null)
          return draft.finish('Went on with another iteration', ['Issues that are found again are added to the list beside those from before.'])
        }
        draft.set(['status'], 'completed')
        draft.set(['completed_at'], values.time)
        return draft.finish('Ended the run')
      },
    },
  ]
}

/** Of later versions, which ask about what is not clear in the request. */
function clarify(run: Run): Offer[] {
  const need = answers(run, 'question', 'The requirements are not clear')
  if (!need) return []
  const problem = textOf(field(run.state.root, 'user_issue_description')) ?? ''
  return [
    {
      name: 'clarify',
      target: '',
      title: 'Make the request clear',
      effect: 'What you write becomes the description of the problem, and the analysis of the requirements counts as completed.',
      fields: [{ name: 'problem', label: 'What is wrong with the skill', kind: 'text', value: problem, help: need.detail }],
      source: need.source,
      answersNeed: true,
      plan: (values) => {
        const draft = new StateDraft(run, values)
        if (values.text('problem') !== problem) draft.set(['user_issue_description'], values.text('problem') ?? problem)
        draft.set(['requirement_analysis', 'status'], 'completed')
        return draft.finish('Made the request clear')
      },
    },
  ]
}

function resume(run: Run): Offer[] {
  const { status, need, state } = run
  if (status !== 'failed' && status !== USER_EXIT) return []
  const node = field(state.root, 'status')
  const current = field(state.root, 'current_action')
  return [
    {
      name: 'resume',
      target: '',
      title: 'Resume the run',
      effect: status === 'failed' ? 'The count of errors starts at 0 and the run goes on where it stopped; remove the cause first.' : 'The run goes on where it was left.',
      fields: [],
      source: need?.source ?? placeOf(run, node),
      answersNeed: need !== undefined,
      plan: (values) => {
        const draft = new StateDraft(run, values)
        draft.set(['status'], 'running')
        if (status === 'failed') draft.set(['error_count'], 0)
        const action = textOf(current)
        return draft.finish('Resumed the run', action === undefined ? [] : [`${action} was being done when it stopped.`])
      },
    },
  ]
}

function leave(run: Run): Offer[] {
  if (run.status !== 'running') return []
  return [
    {
      name: 'leave',
      target: '',
      title: 'Leave the run',
      effect: 'The run stops before its next action and can be resumed.',
      fields: [],
      source: placeOf(run, field(run.state.root, 'status')),
      answersNeed: false,
      plan: (values) => {
        const draft = new StateDraft(run, values)
        draft.set(['status'], USER_EXIT)
        return draft.finish('Left the run')
      },
    },
  ]
}

function abort(run: Run): Offer[] {
  const { files, state, status } = run
  if (status !== 'running') return []
  const { root, details } = state
  const backup = wholeBackup(files, state)
  const restorable = backup.length > 0 && backup.length <= MOST_BACKUP
  const marker = files.candidate.marker
  return [
    {
      name: 'abort',
      target: '',
      title: 'Abort the run',
      effect: 'The run fails, with a report and its errors beside the state. The skill can be put back as it was before the run.',
      fields: restorable
        ? [
            {
              name: 'skill',
              label: 'The skill’s files',
              kind: 'choice',
              value: 'keep',
              options: [
                { value: 'keep', label: 'Stay as they are now' },
                { value: 'restore', label: 'As they were before the run' },
              ],
            },
          ]
        : [],
      source: placeOf(run, field(root, 'status')),
      answersNeed: false,
      plan: (values) => {
        const draft = new StateDraft(run, values)
        const warnings = restorable || backup.length === 0 ? [] : [`The backup has more than ${MOST_BACKUP} files: copy it back yourself if it is wanted.`]
        if (values.text('skill') === 'restore') warnings.push(...restore(draft))
        const errors = field(root, 'errors')
        draft.set(['status'], 'failed')
        draft.set(['completed_at'], values.time)
        if (textOf(field(root, 'current_action')) !== undefined) draft.set(['current_action'], null)
        draft.write(within(marker, 'errors.json'), `${errors ? state.document.text.text.slice(errors.start, errors.end) : '[]'}\n`)
        draft.write(within(marker, 'abort-report.md'), report(values))
        return draft.finish('Aborted the run', warnings)
      },
    },
  ]

  function restore(draft: StateDraft): string[] {
    const left: string[] = []
    for (const { from, to } of backup) {
      const copy = files.files.get(from)
      if (typeof copy?.text !== 'string' || copy.findings.length > 0) left.push(from)
      else draft.write(to, copy.text)
    }
    const skill = skillFolder(files, state)
    const known = new Set(backup.map(({ to }) => to))
    const others = skill === undefined ? [] : files.listing.below(skill).filter((path) => !known.has(path) && !path.startsWith(`${marker}/`))
    const lost = draft.changes.filter(({ file, before }) => known.has(file) && before !== null).map(({ file }) => file)
    return [
      ...(left.length === 0 ? [] : [`Not text, so not copied back: ${left.slice(0, 5).join(', ')}${left.length > 5 ? ` and ${left.length - 5} more` : ''}.`]),
      ...(others.length === 0 ? [] : [`Not in the backup, so left as it is: ${others.slice(0, 5).join(', ')}${others.length > 5 ? ` and ${others.length - 5} more` : ''}.`]),
      ...(lost.length === 0 ? [] : [`Every change since the run began is taken back in ${lost.slice(0, 5).join(', ')}${lost.length > 5 ? ` and ${lost.length - 5} more` : ''}, also one that no fix made.`]),
    ]
  }

  function report(values: Values): string {
    const line = (label: string, value: string | number | null | undefined) => (value === null || value === undefined || value === '' ? [] : [`- ${label}: ${String(value).replaceAll(/\s+/g, ' ')}`])
    const errors = itemsOf(field(root, 'errors')).map((node) => `- ${(textOf(field(node, 'action')) ?? '').replaceAll(/\s+/g, ' ')}: ${(textOf(field(node, 'message')) ?? textOf(node) ?? '').replaceAll(/\s+/g, ' ')}`)
    return [
      '# The run was aborted',
      '',
      ...line('Skill', details.skill.name.value),
      ...line('Problem', details.problem.value),
      ...line('Aborted', values.time),
      ...line('Iterations', numberOf(field(root, 'iteration_count'))),
      ...line('Open issues', details.issues.length),
      ...line('Applied fixes', latestApplied(run).map(({ id }) => id).join(', ')),
      ...line('Skill’s files', values.text('skill') === 'restore' ? 'put back as before the run' : 'as the run left them'),
      '',
      '## Errors',
      '',
      ...(errors.length === 0 ? ['None.'] : errors),
      '',
    ].join('\n')
  }
}
