import type { CheckboxLine, HeadingLine, MarkdownLine } from '../text/markdown'
import { isCalledPhase, readHeading, slug, type StatusWord } from './heading'

export interface Phase {
  readonly key: string
  readonly name: string
  readonly heading: HeadingLine
  /** A copy of what the checkboxes say, written by a model. */
  readonly claimed: StatusWord | undefined
  readonly derived: StatusWord
  readonly tasks: readonly { readonly key: string; readonly line: CheckboxLine }[]
}

export interface OtherSection {
  readonly heading: HeadingLine | undefined
  readonly boxes: readonly CheckboxLine[]
  readonly isLikePhase: boolean
}

export interface NamedPhases {
  readonly listed: ReadonlySet<string>
  readonly used: ReadonlySet<string>
}

interface Section {
  readonly heading: HeadingLine | undefined
  readonly boxes: CheckboxLine[]
}

/**
 * `<Name> Phase <STATUS>` is always a phase. Otherwise the manifest's list decides where it names a heading; else every
 * heading with the word phase, a status, an expert or a gate; and where there is none of these, every heading.
 */
export function readPhases(
  lines: readonly MarkdownLine[],
  { listed, used }: NamedPhases,
): { phases: Phase[]; outside: OtherSection[] } {
  const isListed = (heading: HeadingLine) => listed.has(nameOf(heading))
  const isNamed = (heading: HeadingLine) => isListed(heading) || used.has(nameOf(heading))
  const hasForm = ({ text }: HeadingLine) => isCalledPhase(text) || readHeading(text).claimed !== undefined
  const isWhole = ({ text }: HeadingLine) => isCalledPhase(text) && readHeading(text).claimed !== undefined
  const isLike = (heading: HeadingLine) => isNamed(heading) || hasForm(heading)

  const level = phaseLevel(lines, isLike)
  const sections = sectionsOf(lines, level)
  const headings = sections.flatMap(({ heading }) => (heading?.level === level ? heading : []))
  const isPhase = headings.some(isListed)
    ? (heading: HeadingLine) => isNamed(heading) || isWhole(heading)
    : headings.some(isLike)
      ? isLike
      : () => true

  const keys = new Map<string, number>()
  const phases: Phase[] = []
  const outside: OtherSection[] = []
  for (const { heading, boxes } of sections) {
    const derived = derive(boxes)
    if (heading?.level !== level || !isPhase(heading) || derived === undefined) {
      outside.push({ heading, boxes, isLikePhase: heading?.level === level && isLike(heading) })
      continue
    }
    const { name, claimed } = readHeading(heading.text)
    const count = (keys.get(slug(name)) ?? 0) + 1
    keys.set(slug(name), count)
    const key = count === 1 ? slug(name) : `${slug(name)}#${count}`
    const tasks = boxes.map((line, index) => ({ key: `${key}/${index + 1}`, line }))
    phases.push({ key, name, heading, claimed, derived, tasks })
  }
  return { phases, outside }
}

const nameOf = ({ text }: HeadingLine): string => slug(readHeading(text).name)

function sectionsOf(lines: readonly MarkdownLine[], level: number): Section[] {
  const sections: Section[] = [{ heading: undefined, boxes: [] }]
  for (const line of lines) {
    if (line.kind === 'heading' && line.level <= level) sections.push({ heading: line, boxes: [] })
    else if (line.kind === 'checkbox') sections.at(-1)?.boxes.push(line)
  }
  return sections
}

/** Level 2, unless only headings of another level look like phases. */
function phaseLevel(lines: readonly MarkdownLine[], isLike: (heading: HeadingLine) => boolean): number {
  const like = new Set(lines.flatMap((line) => (line.kind === 'heading' && isLike(line) ? line : [])))
  const [first] = like
  if ([...like].some(({ level }) => level === 2)) return 2
  let last: HeadingLine | undefined
  for (const line of lines) {
    if (line.kind === 'heading') last = line
    else if (line.kind === 'checkbox' && last && like.has(last)) return last.level
  }
  const hasLevel2 = lines.some((line) => line.kind === 'heading' && line.level === 2)
  return hasLevel2 ? 2 : (first?.level ?? 2)
}

const derive = (boxes: readonly CheckboxLine[]): StatusWord | undefined =>
  boxes.length === 0 ? undefined : statusOf(boxes.filter(({ checked }) => checked).length, boxes.length)

export const statusOf = (done: number, total: number): StatusWord =>
  done === 0 ? 'PENDING' : done === total ? 'COMPLETE' : 'IN PROGRESS'
