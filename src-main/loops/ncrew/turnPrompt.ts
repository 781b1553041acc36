import { nameOf, parentOf } from '../../formats/listing'
import { questionsFolder } from '../../formats/ncrew/detect'
import { slug } from '../../formats/ncrew/heading'
import { boxText, openOutside } from '../../formats/ncrew/outsideBoxes'
import { expertFileOf, readAll, type Crew } from './crewFiles'
import { buildPrompt, type PromptFile } from './prompt'
import type { Turn } from './resolve'

const WORKFLOW = '.noodlecrew/WORKFLOW.md'

export async function turnPrompt(crew: Crew, { phase, expert: { role }, task }: Turn): Promise<string> {
  const { root, listing, state } = crew
  const expert = expertFileOf(crew, role)
  const templates =
    expert === undefined ? [] : listing.in(`${parentOf(expert)}/templates`).filter((path) => path.endsWith('.md'))
  const artefacts = listing.below('docs').filter((path) => path.endsWith('.md'))
  const single = [expert, WORKFLOW].filter((path) => path !== undefined && listing.hasFile(path))
  const files = await readAll(
    root,
    [...single, ...templates, ...artefacts].flatMap((path) => path ?? []),
  )
  const file = (path: string | undefined): PromptFile | undefined => (path === undefined ? undefined : files.get(path))
  const known = (found: { text: PromptFile } | undefined): PromptFile | undefined => found?.text
  return buildPrompt({
    role,
    phase: slug(phase.name),
    task,
    openBoxes: openOutside(state).map(boxText),
    expert: file(expert),
    workflow: file(WORKFLOW),
    idea: known(state.idea),
    index: known(state.index),
    tasks: known(state.tasks),
    questions: state.questions,
    artefacts: artefacts.flatMap((path) => file(path) ?? []),
    templates: templates.flatMap((path) => file(path) ?? []).map(({ path, text }) => ({ path: nameOf(path), text })),
    questionsFolder:
      questionsFolder('', state.manifest?.root) ??
      (state.tasks?.text.path.startsWith('.noodlecrew/') ? '.noodlecrew/questions' : 'questions'),
  })
}
