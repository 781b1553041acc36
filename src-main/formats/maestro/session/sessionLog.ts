import type { Draft } from '../../edit/draft'
import { readFrontMatter } from '../../text/frontMatter'
import { markdownLines, type HeadingLine } from '../../text/markdown'
import { newlineOf } from '../../text/splice'
import { contextFields, type PhaseStatus } from '../schema'
import { fileKinds, type DownstreamContext, type PhaseFiles } from './taskReport'

export interface PhaseLog {
  readonly status: PhaseStatus | (string & {})
  readonly agent?: string | undefined
  readonly output?: string | undefined
  readonly files?: Partial<PhaseFiles> | undefined
  readonly context?: DownstreamContext | undefined
  readonly validation?: string | undefined
}

const MAX_OUTPUT_CHARACTERS = 20_000

export function logPhase(
  draft: Draft,
  file: string,
  { id, title }: { readonly id: string; readonly title: string },
  log: PhaseLog,
): void {
  const isPhase = ({ text }: HeadingLine) => /^phase\s+([\w.-]+)/i.exec(text)?.[1] === id
  appendSection(draft, file, isPhase, `Phase ${id}: ${title}`, log.status, phaseLines(log))
}

export function appendSection(
  draft: Draft,
  file: string,
  isMeant: (heading: HeadingLine) => boolean,
  title: string,
  word: string,
  added: readonly string[],
): void {
  const { text } = draft.text(file)
  const newline = newlineOf(text)
  const headings = markdownLines(text, readFrontMatter(draft.text(file)).bodyStart).filter(
    (line) => line.kind === 'heading',
  )
  const body = added.flatMap((part) => ['', ...part.split('\n')]).join(newline)
  const heading = headings.findLast((each) => each.level <= 2 && isMeant(each))
  if (!heading) {
    const lines =
      ['', `## ${title.replaceAll(/\s+/g, ' ')} (${word})`].join(newline) + (body === '' ? '' : newline + body)
    const end = text.trimEnd().length
    draft.edit(file, [{ offset: end, length: text.length - end, text: `${newline}${lines}${newline}` }])
    return
  }
  const next = headings.find(({ start, level }) => start > heading.start && level <= heading.level)
  const end = heading.end + text.slice(heading.end, next?.start ?? text.length).trimEnd().length
  const named = text.slice(heading.start, heading.end).replace(/\s*(?:\([a-z_ ,:0-9]+\)|[✓✔✅○◯✗✘❌□⏳–—-])\s*$/u, '')
  draft.edit(file, [
    { offset: heading.start, length: heading.end - heading.start, text: `${named} (${word})` },
    ...(body === '' ? [] : [{ offset: end, length: 0, text: newline + body }]),
  ])
}

function phaseLines({ agent, output, files, context, validation }: PhaseLog): string[] {
  const parts: string[] = []
  if (output !== undefined && output.trim() !== '')
    parts.push(`### ${titleOf(agent ?? 'agent')} Output`, quoted(output.trim()))
  if (files && fileKinds.some((kind) => (files[kind]?.length ?? 0) > 0))
    parts.push(
      '### Files Changed',
      fileKinds
        .filter((kind) => (files[kind]?.length ?? 0) > 0)
        .map((kind) => `- ${titleOf(kind)}: ${(files[kind] ?? []).map((path) => `\`${path}\``).join(', ')}`)
        .join('\n'),
    )
  const told = context ? contextFields.filter((name) => context[name].length > 0) : []
  if (context && told.length > 0)
    parts.push(
      '### Downstream Context',
      told.map((name) => `- ${titleOf(name)}: ${context[name].join('; ').replaceAll(/\s+/g, ' ')}`).join('\n'),
    )
  if (validation !== undefined) parts.push('### Validation Result', validation)
  return parts
}

const quoted = (text: string): string =>
  text
    .slice(0, MAX_OUTPUT_CHARACTERS)
    .split(/\r?\n/)
    .map((line) => `> ${line}`.trimEnd())
    .join('\n')

const titleOf = (name: string): string =>
  name
    .split(/[_-]/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join(' ')
