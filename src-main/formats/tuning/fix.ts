import { applyPatch, createTwoFilesPatch, parsePatch, reversePatch, type StructuredPatch } from 'diff'
import { AppError } from '@shared/contract/errors'
import type { Draft } from '../edit/draft'
import { quote } from '../finding'
import type { RunFiles } from '../format'
import { within } from '../listing'
import { field, itemsOf, stringOf, textOf, type Located } from '../text/located'
import { projectPath } from '../text/namedPath'
import { newlineOf } from '../text/splice'
import type { TuningState } from './state'

export interface Change {
  readonly relative: string
  readonly path: string
  readonly action: 'create' | 'modify' | 'delete'
  readonly diff: string | undefined
  readonly before: string | undefined
  readonly after: string | undefined
}

type Root = Pick<TuningState, 'root'>

export const fixNode = ({ root }: Root, id: string): Located | undefined =>
  itemsOf(field(root, 'proposed_fixes')).find((node) => textOf(field(node, 'id')) === id)

/** Undefined when the state names none in the project that has a SKILL.md. */
export function skillFolder({ candidate, listing }: RunFiles, { root }: Root): string | undefined {
  const path = stringOf(field(field(root, 'target_skill'), 'path'))
  const folder = path === undefined ? undefined : projectPath(candidate.folder, path)
  return folder !== undefined && listing.hasFile(within(folder, 'SKILL.md')) ? folder : undefined
}

/** @throws AppError CONFLICT when the state names none */
export function requireSkillFolder(files: RunFiles, state: Root): string {
  const skill = skillFolder(files, state)
  if (skill !== undefined) return skill
  const path = stringOf(field(field(state.root, 'target_skill'), 'path')) ?? ''
  throw new AppError('CONFLICT', `${quote(path)} is no skill of this project.`, {
    hint: 'Correct target_skill.path in state.json: the folder of SKILL.md, in the project.',
  })
}

export function backupFolder({ candidate }: RunFiles, { root }: Root): string {
  const own = stringOf(field(root, 'backup_dir'))
  const path = own === undefined || own === '' ? undefined : projectPath(candidate.folder, own)
  return (
    path ?? within(candidate.marker, `backups/${textOf(field(field(root, 'target_skill'), 'name')) ?? 'skill'}-backup`)
  )
}

/** Safe as the name of a folder. */
export const isPlainId = (id: string): boolean => /^[A-Za-z0-9][\w.-]{0,99}$/.test(id)

export const fixBackup = (files: RunFiles, state: Root, id: string): string =>
  within(backupFolder(files, state), `before-${id}`)

/** @throws AppError CONFLICT for a change of unknown kind, or of a file outside the skill */
export function changesOf(files: RunFiles, state: Root, node: Located): Change[] {
  const skill = requireSkillFolder(files, state)
  return itemsOf(field(node, 'changes')).map((change) => {
    const named = stringOf(field(change, 'file')) ?? ''
    const action = (['create', 'modify', 'delete'] as const).find(
      (known) => known === stringOf(field(change, 'action')),
    )
    if (!action)
      throw new AppError('CONFLICT', `${quote(textOf(field(change, 'action')) ?? null)} is not a kind of change.`, {
        hint: 'Use create, modify or delete.',
      })
    const path = named === '' || /[*?]/.test(named) ? undefined : pathIn(skill, files.candidate.folder, named)
    if (path === undefined)
      throw new AppError('CONFLICT', `${quote(named)} is not a single file of the skill.`, {
        hint: 'Make the change in an editor; only files in the skill’s folder are changed.',
      })
    return {
      relative: path.slice(skill === '' ? 0 : skill.length + 1),
      path,
      action,
      diff: stringOf(field(change, 'diff')),
      before: stringOf(field(change, 'old_content')),
      after: stringOf(field(change, 'new_content')),
    }
  })
}

/** A change names a file relative to the skill's folder, or to the project's. */
export function pathIn(skill: string, folder: string, named: string): string | undefined {
  const whole = projectPath(folder, named)
  if (skill !== folder && whole?.startsWith(`${skill}/`) === true) return whole
  return projectPath(skill, named)
}

/** @throws AppError CONFLICT when it does not fit what is there */
export function applyChange(draft: Draft, change: Change): void {
  const { path, action, after } = change
  if (action === 'create') {
    if (after === undefined)
      throw new AppError('CONFLICT', `The fix creates ${path} without content.`, {
        hint: 'Make the change in an editor.',
      })
    if (draft.has(path))
      throw new AppError('CONFLICT', `The fix creates ${path}, which already exists.`, {
        hint: 'If the fix is right, rename or remove the file first.',
      })
    draft.write(path, after)
  } else if (action === 'delete') {
    if (!draft.has(path)) throw new AppError('CONFLICT', `The fix deletes ${path}, which does not exist.`)
    draft.write(path, null)
  } else {
    draft.write(path, modified(draft.text(path).text, change))
  }
}

/** @throws AppError CONFLICT when the change does not fit */
export function modified(text: string, { path, diff, before, after }: Change): string {
  const patch = diff === undefined ? undefined : patchOf(diff)
  if (patch) {
    const result = patched(text, patch)
    if (result === undefined)
      throw new AppError('CONFLICT', `The fix does not fit ${path}: the lines that it changes are not there.`, {
        hint: 'The file changed after the fix was proposed. Make the change in an editor, or have fixes proposed again.',
      })
    return result
  }
  if (before !== undefined && before !== '' && after !== undefined) {
    const parts = text.split(before)
    if (parts.length !== 2)
      throw new AppError(
        'CONFLICT',
        `The fix does not fit ${path}: the text that it replaces is ${parts.length === 1 ? 'not there' : `there ${parts.length - 1} times`}.`,
        { hint: 'Make the change in an editor.' },
      )
    return parts.join(after)
  }
  if (diff === undefined && after !== undefined) return after
  throw new AppError('CONFLICT', `The fix does not say what it changes in ${path}.`, {
    hint: 'Its diff has no hunks (lines with @@). Make the change in an editor.',
  })
}

export function unmodified(text: string, { diff, before, after }: Change): string | undefined {
  const patch = diff === undefined ? undefined : patchOf(diff)
  if (patch) return patched(text, reversePatch(patch))
  if (before === undefined || before === '' || after === undefined || after === '') return undefined
  const parts = text.split(after)
  return parts.length === 2 ? parts.join(before) : undefined
}

const MAX_EDIT_LENGTH = 500

export function unifiedDiff(file: string, before: string, after: string): string | undefined {
  const options = { context: 3, maxEditLength: MAX_EDIT_LENGTH }
  const diff = createTwoFilesPatch(`a/${file}`, `b/${file}`, before, after, undefined, undefined, options)
  return diff?.replace(/^=+\n/, '')
}

export function patchOf(diff: string): StructuredPatch | undefined {
  try {
    const patches = parsePatch(recounted(diff)).filter(({ hunks }) => hunks.length > 0)
    return patches.length === 1 ? patches[0] : undefined
  } catch {
    return undefined
  }
}

/** Handwritten diffs have wrong line counts: each hunk is counted again. */
function recounted(diff: string): string {
  const lines = diff.replaceAll('\r\n', '\n').replace(/\n$/, '').split('\n')
  const result: string[] = []
  let hunk: { at: number; from: string; to: string; rest: string; removed: number; added: number } | undefined
  const close = (): void => {
    if (hunk) result[hunk.at] = `@@ -${hunk.from},${hunk.removed} +${hunk.to},${hunk.added} @@${hunk.rest}`
    hunk = undefined
  }
  for (const [index, line] of lines.entries()) {
    const [, from, to, rest] = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@(.*)$/.exec(line) ?? []
    if (from !== undefined && to !== undefined) {
      close()
      hunk = { at: index, from, to, rest: rest ?? '', removed: 0, added: 0 }
    } else if (line.startsWith('--- ') && lines[index + 1]?.startsWith('+++ ') === true) close()
    // An empty line inside a hunk has lost its leading space.
    const kept: string = hunk && line === '' ? ' ' : line
    result.push(kept)
    if (!hunk || hunk.at === index) continue
    if (/^[ -]/.test(kept)) hunk.removed++
    if (/^[ +]/.test(kept)) hunk.added++
  }
  close()
  return `${result.join('\n')}\n`
}

function patched(text: string, patch: StructuredPatch): string | undefined {
  const mark = text.startsWith('\uFEFF') ? '\uFEFF' : ''
  const result = applyPatch(text.slice(mark.length), patch)
  return result === false ? undefined : mark + result
}

/** Comment that marks an applied fix for skill tuning's own verification. The colon tells FIX-1 from FIX-10. */
const markerOf = (id: string): string => `Applied fix ${id}:`

export function withMarker(text: string, id: string, description: string): string {
  const newline = newlineOf(text)
  return `${text}${newline}${newline}<!-- ${markerOf(id)} ${description
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/-{2,}|>/g, '-')
    .slice(0, 500)} -->${newline}`
}

export function withoutMarker(text: string, id: string): string {
  const start = text.search(new RegExp(`(?:\\r?\\n){1,2}<!-- ${markerOf(id).replaceAll('.', '\\.')}[^\\n]*-->`))
  if (start < 0) return text
  const end = text.indexOf('-->', start) + 3
  return text.slice(0, start) + text.slice(end).replace(/^\r?\n/, '')
}
