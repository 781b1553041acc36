import type { Candidate, RunFiles } from '../format'
import { isArchived, nameOf, parentOf, within, type Listing } from '../listing'
import { field, stringOf, type Located } from '../text/located'
import { parseLocatedYaml } from '../text/locatedYaml'
import { projectPath } from '../text/namedPath'
import { StateText } from '../text/stateFile'

export const CREW = '.noodlecrew'
export const LOCK = `${CREW}/.lock`

export const places = {
  index: ['INDEX.md'],
  idea: ['IDEA.md', '00-input/idea-original.md'],
  tasks: [`${CREW}/tasks.md`, 'tasks.md', 'TODO.md'],
  questions: [`${CREW}/questions`, 'questions', 'questions/to-user'],
  manifest: [`${CREW}/manifest.yml`, `${CREW}/config.yml`, '.noodlecrew.yml'],
} as const

export function detect(listing: Listing): Candidate[] {
  const markers = new Map<string, string>()
  // The surest comes last, as a folder has one run.
  for (const file of listing.files)
    if (nameOf(file) === 'INDEX.md' && nameOf(parentOf(file)) !== CREW) markers.set(parentOf(file), file)
  for (const file of listing.files) if (nameOf(file) === '.noodlecrew.yml') markers.set(parentOf(file), file)
  for (const folder of listing.folders) if (nameOf(folder) === CREW) markers.set(parentOf(folder), folder)
  return [...markers].map(([folder, marker]) => {
    const single = [...places.index, ...places.idea, ...places.tasks, ...places.manifest, 'CREW_COMPLETE', LOCK]
      .map((name) => within(folder, name))
      .filter((file) => listing.hasFile(file))
    const questions = questionFiles(listing, folder, undefined)
    const experts = listing.below(within(folder, `${CREW}/experts`)).filter((file) => nameOf(file) === 'EXPERT.md')
    const name = within(folder, CREW)
    return { folder, marker, name, archived: isArchived(folder), files: [...single, ...questions, ...experts] }
  })
}

export function questionFiles(listing: Listing, folder: string, own: string | undefined): string[] {
  const usual = places.questions.map((name) => within(folder, name))
  const single = new Set(Object.values(places).flatMap((names) => names.map((name) => within(folder, name))))
  const paths = [
    ...usual.flatMap((place) => listing.below(place).filter((path) => !isArchived(parentOf(path).slice(place.length)))),
    ...(own === undefined ? [] : listing.in(own).filter((path) => !single.has(path))),
  ]
  return [...new Set(paths)].filter(isQuestionFile)
}

const isQuestionFile = (path: string): boolean =>
  /^[^.][^.]*$|^[^.].*\.(md|markdown|mdown|mkdn?|mdx|txt|text|rst|adoc|org)$/i.test(nameOf(path))

export function named({ candidate: { folder }, listing, files }: RunFiles): string[] {
  const file = firstOf(places.manifest, folder, files)
  if (file?.text === null || file?.text === undefined) return []
  const questions = questionsFolder(folder, parseLocatedYaml(new StateText(file.path, file.text)).root)
  return questions === undefined ? [] : questionFiles(listing, folder, questions)
}

export function questionsFolder(folder: string, manifest: Located | undefined): string | undefined {
  const path = stringOf(field(field(manifest, 'workflow'), 'questions_dir'))
  return path === undefined ? undefined : projectPath(folder, path)
}

export const firstOf = (names: readonly string[], folder: string, files: RunFiles['files']) =>
  names.map((name) => files.get(within(folder, name))).find((file) => file !== undefined)
