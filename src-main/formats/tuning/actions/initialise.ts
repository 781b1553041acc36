import { AppError } from '@shared/contract/errors'
import type { FieldOption, OfferedField } from '@shared/contract/edits'
import type { ActionPlan, ActionRequest } from '../../edit/action'
import type { Draft } from '../../edit/draft'
import type { Offer, Values } from '../../edit/offer'
import type { RunFiles } from '../../format'
import { nameOf, within } from '../../listing'
import { listNames } from '@shared/listNames'
import { readFrontMatter } from '../../text/frontMatter'
import { field, textOf } from '../../text/located'
import { projectPath } from '../../text/namedPath'
import { isPlainId } from '../fix'
import { relativeTo, skillsIn } from '../skills'
import { actionNames } from '../progress'
import { completeActions } from './completeAction'
import { copyFiles, MAX_BACKUP_FILES, type Copy } from '../backups'
import { idsOf, needOf, placeOf, StateDraft, type TuningRun } from './tuningRun'

const NAME = 'init'

export const focusAreas: readonly FieldOption[] = [
  { value: 'context', label: 'Context: grows, or is passed on as a whole' },
  { value: 'memory', label: 'Memory: requirements and goals that get lost' },
  { value: 'dataflow', label: 'Data flow: where state is kept and checked' },
  { value: 'agent', label: 'Agents: how they are called and how failures are handled' },
  { value: 'architecture', label: 'Architecture, analysed by an agent' },
  { value: 'prompt', label: 'Prompts, analysed by an agent' },
  { value: 'performance', label: 'Performance, analysed by an agent' },
]

export function initialise(run: TuningRun): Offer[] {
  if (run.status !== 'pending') return []
  const need = needOf(run, 'start')
  return [
    {
      name: NAME,
      target: '',
      title: 'Start the run',
      effect:
        'Records the skill and the problem and backs the skill up into the run’s folder. The skill does not change.',
      fields: startFields(run),
      source: need?.source ?? placeOf(run, field(run.state.root, 'status')),
      answersNeed: need !== undefined,
      plan: (values) => planStart(run, values),
    },
  ]
}

function startFields({ files, state: { root } }: TuningRun): OfferedField[] {
  const skills = skillsIn(files.listing, files.candidate.folder)
  const named = textOf(field(field(root, 'target_skill'), 'path'))
  const focus = idsOf(field(root, 'focus_areas'))
  const others = focus
    .filter((area) => !focusAreas.some(({ value }) => value === area))
    .map((area) => ({ value: area, label: area }))
  return [
    {
      name: 'skill',
      label: 'Skill folder',
      kind: 'choice',
      value: skills.find((path) => path === named) ?? (skills.length === 1 ? (skills[0] ?? null) : null),
      options: skills.map((path) => ({ value: path, label: path })),
      help:
        skills.length === 0
          ? 'No folder of this project has a SKILL.md. Add the skill to the project, or open the folder that contains it.'
          : 'The folders of this project that have a SKILL.md.',
    },
    { name: 'problem', label: 'Problem', kind: 'text', value: textOf(field(root, 'user_issue_description')) ?? '' },
    {
      name: 'focus',
      label: 'Focus areas',
      kind: 'several',
      value: focus,
      options: [...focusAreas, ...others],
      optional: true,
      help: 'With none chosen: all four diagnoses.',
    },
  ]
}

function planStart(run: TuningRun, values: Values): ActionPlan {
  const { files, state } = run
  const { root } = state
  const { candidate, listing } = files
  const path = values.text('skill') ?? ''
  const skill = folderOf(files, path)
  const draft = new StateDraft(run, values)
  const name = nameOfSkill(draft, skill)
  const workDir = candidate.marker.slice(candidate.folder === '' ? 0 : candidate.folder.length + 1)
  const backupDir = within(workDir, `backups/${[name, nameOf(skill)].find(isPlainId) ?? 'skill'}-backup`)
  const markdown = (folder: string) =>
    listing
      .below(within(skill, folder))
      .filter((file) => file.endsWith('.md'))
      .map((file) => relativeTo(skill, file))
  // The backup is written before the state that names it.
  const warnings = backUp(files, draft, skill, within(candidate.folder, backupDir))
  draft.set(['status'], 'running')
  draft.set(['started_at'], values.time)
  const target = {
    name,
    path,
    execution_mode: listing.hasFile(within(skill, 'phases/orchestrator.md')) ? 'autonomous' : 'sequential',
    phases: markdown('phases'),
    specs: markdown('specs'),
  }
  if (field(root, 'target_skill')?.kind === 'map')
    for (const [key, value] of Object.entries(target)) draft.set(['target_skill', key], value)
  else draft.set(['target_skill'], target)
  draft.set(['user_issue_description'], values.text('problem') ?? '')
  draft.set(['focus_areas'], [...values.several('focus')])
  draft.set(['work_dir'], workDir)
  draft.set(['backup_dir'], backupDir)
  completeActions(run, draft, values, [{ action: actionNames.init, outputs: [] }])
  const action = textOf(field(root, 'current_action'))
  return draft.finish(
    `Started the run for ${name}`,
    action === undefined
      ? warnings
      : [...warnings, `${action} is running: its agent may ask for the same and write its own answer.`],
  )
}

export function filesToBackUp(files: RunFiles, { name, values }: ActionRequest): readonly string[] {
  const { candidate, listing } = files
  if (name !== NAME || typeof values.skill !== 'string') return []
  if (!skillsIn(listing, candidate.folder).includes(values.skill)) return []
  return [
    ...filesOf(files, folderOf(files, values.skill)),
    ...listing.below(within(candidate.marker, 'backups')),
  ].slice(0, 2 * MAX_BACKUP_FILES)
}

const folderOf = ({ candidate }: RunFiles, path: string): string =>
  projectPath(candidate.folder, path) ?? candidate.folder

/** Leaves out dot files, as the original does when it backs up a skill. */
const filesOf = ({ candidate: { marker }, listing }: RunFiles, skill: string): string[] =>
  listing.below(skill).filter((path) => !relativeTo(skill, path).startsWith('.') && !path.startsWith(`${marker}/`))

function nameOfSkill(draft: Draft, skill: string): string {
  const name = textOf(field(readFrontMatter(draft.text(within(skill, 'SKILL.md'))).document.root, 'name'))?.trim() ?? ''
  return name !== '' && name.length <= 200 && !/\p{Cc}/u.test(name) ? name : nameOf(skill) || 'skill'
}

function backUp(files: RunFiles, draft: Draft, skill: string, backup: string): string[] {
  const copies = filesOf(files, skill).map((from): Copy => ({ from, to: within(backup, relativeTo(skill, from)) }))
  if (copies.length > MAX_BACKUP_FILES) {
    throw new AppError(
      'CONFLICT',
      `The skill has ${copies.length} files; at most ${MAX_BACKUP_FILES} can be backed up.`,
      {
        hint: 'Let skill tuning start the run itself.',
      },
    )
  }
  const left = copyFiles(draft, copies)
  const replaced = draft.changes
    .filter(({ file, before }) => before !== null && copies.some(({ to }) => to === file))
    .map(({ file }) => file)
  return [
    ...(left.length === 0
      ? []
      : [
          `Unreadable or larger than 4 MB, so not backed up: ${listNames(left)}. Copy them to ${backup} yourself to keep them.`,
        ]),
    ...(replaced.length === 0 ? [] : [`An older backup is replaced: ${listNames(replaced)}.`]),
  ]
}
