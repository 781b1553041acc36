import { AppError } from '@shared/contract/errors'
import type { ActionOption, ActionRequest } from '../../edit/action'
import type { Draft } from '../../edit/draft'
import type { Offer } from '../../edit/offer'
import type { RunFiles } from '../../format'
import { nameOf, parentOf, within } from '../../listing'
import { listNames } from '@shared/listNames'
import { readFrontMatter } from '../../text/frontMatter'
import { field, textOf } from '../../text/located'
import { projectPath } from '../../text/namedPath'
import { isPlainId } from '../fix'
import { copyTexts, MAX_BACKUP_FILES, type Copy } from '../backups'
import { answers, idsOf, placeOf, StateDraft, type TuningRun } from './tuningRun'

const NAME = 'init'

/** What a run can be asked to look at: its own diagnoses, and what it has another program analyse. */
const focusAreas: readonly ActionOption[] = [
  { value: 'context', label: 'Context: what grows, or is passed on as a whole' },
  { value: 'memory', label: 'Memory: demands and goals that get lost on the way' },
  { value: 'dataflow', label: 'Data flow: where state is kept, and whether it is checked' },
  { value: 'agent', label: 'Agents: how they are called, and what becomes of failures' },
  { value: 'architecture', label: 'Architecture, analysed by Gemini' },
  { value: 'prompt', label: 'Prompts, analysed by Gemini' },
  { value: 'performance', label: 'Performance, analysed by Gemini' },
]

/** Starts a run that waits to be told which skill it is for and what is wrong with it, and keeps a copy of the skill as it is. */
export function initialise(run: TuningRun): Offer[] {
  const { files, state, status } = run
  if (status !== 'pending') return []
  const { root } = state
  const need = answers(run, 'question', 'Which skill, and what is wrong with it')
  const skills = skillsIn(files)
  const named = textOf(field(field(root, 'target_skill'), 'path'))
  const focus = idsOf(field(root, 'focus_areas'))
  const others = focus
    .filter((area) => !focusAreas.some(({ value }) => value === area))
    .map((area) => ({ value: area, label: area }))
  return [
    {
      name: NAME,
      target: '',
      title: 'Start the run',
      effect:
        'The run knows its skill and the problem and goes on with its first diagnosis. The skill’s files are copied into the run’s folder; nothing in the skill changes.',
      fields: [
        {
          name: 'skill',
          label: 'Folder of the skill',
          kind: 'choice',
          value: skills.find((path) => path === named) ?? (skills.length === 1 ? (skills[0] ?? null) : null),
          options: skills.map((path) => ({ value: path, label: path })),
          help:
            skills.length === 0
              ? 'No folder of this project has a SKILL.md: put the skill into the project, or open the folder that it is in.'
              : 'The folders of this project that have a SKILL.md.',
        },
        {
          name: 'problem',
          label: 'What is wrong with the skill',
          kind: 'text',
          value: textOf(field(root, 'user_issue_description')) ?? '',
        },
        {
          name: 'focus',
          label: 'Look at',
          kind: 'several',
          value: focus,
          options: [...focusAreas, ...others],
          optional: true,
          help: 'Nothing chosen: all four diagnoses.',
        },
      ],
      source: need?.source ?? placeOf(run, field(root, 'status')),
      answersNeed: need !== undefined,
      plan: (values) => {
        const path = values.text('skill') ?? ''
        const skill = folderOf(files, path)
        const draft = new StateDraft(run, values)
        const name = nameOfSkill(draft, skill)
        const { candidate, listing } = files
        const workDir = candidate.marker.slice(candidate.folder === '' ? 0 : candidate.folder.length + 1)
        const backupDir = within(workDir, `backups/${[name, nameOf(skill)].find(isPlainId) ?? 'skill'}-backup`)
        const markdown = (folder: string) =>
          listing
            .below(within(skill, folder))
            .filter((file) => file.endsWith('.md'))
            .map((file) => relativeTo(skill, file))
        // The copy stands before the state says that there is one.
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
        const action = textOf(field(root, 'current_action'))
        return draft.finish(
          `Started the run for ${name}`,
          action === undefined
            ? warnings
            : [...warnings, `${action} is being done: its agent may ask for the same and write its own answer.`],
        )
      },
    },
  ]
}

/** The files that starting a run copies, and copies that are there before it. */
export function filesToBackUp(files: RunFiles, { name, values }: ActionRequest): readonly string[] {
  if (name !== NAME || typeof values.skill !== 'string' || !skillsIn(files).includes(values.skill)) return []
  const { candidate, listing } = files
  return [
    ...filesOf(files, folderOf(files, values.skill)),
    ...listing.below(within(candidate.marker, 'backups')),
  ].slice(0, 2 * MAX_BACKUP_FILES)
}

/** The folders with a SKILL.md, from the run's project; `.` is that itself. Copies in folders of runs are none. */
const skillsIn = ({ candidate: { folder }, listing }: RunFiles): string[] =>
  listing
    .below(folder)
    .filter((path) => nameOf(path) === 'SKILL.md' && !path.split('/').some((part) => /^skill-tuning-\d{8}/.test(part)))
    .map((path) => relativeTo(folder, parentOf(path)) || '.')

/** In the project. @param path one of {@link skillsIn} */
const folderOf = ({ candidate }: RunFiles, path: string): string =>
  projectPath(candidate.folder, path) ?? candidate.folder

const relativeTo = (folder: string, path: string): string => path.slice(folder === '' ? 0 : folder.length + 1)

/** As the original copies a skill: without what has a dot in front of its name. */
const filesOf = ({ candidate: { marker }, listing }: RunFiles, skill: string): string[] =>
  listing.below(skill).filter((path) => !relativeTo(skill, path).startsWith('.') && !path.startsWith(`${marker}/`))

/** As its SKILL.md says; else its folder's. */
function nameOfSkill(draft: Draft, skill: string): string {
  const name = textOf(field(readFrontMatter(draft.text(within(skill, 'SKILL.md'))).document.root, 'name'))?.trim() ?? ''
  return name !== '' && name.length <= 200 && !/\p{Cc}/u.test(name) ? name : nameOf(skill) || 'skill'
}

/** @returns what the person should know of it */
function backUp(files: RunFiles, draft: Draft, skill: string, backup: string): string[] {
  const copies = filesOf(files, skill).map((from): Copy => ({ from, to: within(backup, relativeTo(skill, from)) }))
  if (copies.length > MAX_BACKUP_FILES) {
    throw new AppError('CONFLICT', `The skill has ${copies.length} files; ${MAX_BACKUP_FILES} are copied at most.`, {
      hint: 'Have skill tuning start the run itself.',
    })
  }
  const left = copyTexts(files, draft, copies)
  const replaced = draft.changes
    .filter(({ file, before }) => before !== null && copies.some(({ to }) => to === file))
    .map(({ file }) => file)
  return [
    ...(left.length === 0
      ? []
      : [`Not text, so not copied: ${listNames(left)}. Copy them to ${backup} yourself if they are to be kept.`]),
    ...(replaced.length === 0 ? [] : [`Another copy stands there already and is replaced: ${listNames(replaced)}.`]),
  ]
}
