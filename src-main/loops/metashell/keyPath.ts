import { AppError } from '@shared/contract/errors'
import type { Json } from '@shared/json'
import { applyEdits } from '../../formats/finding'
import { at, field, itemsOf, numberOf, textOf, type Located, type LocatedDocument } from '../../formats/text/located'
import { parseLocatedJson } from '../../formats/text/locatedJson'
import { spliceJson, type Path } from '../../formats/text/splice'
import { StateText } from '../../formats/text/stateFile'
import { fieldNames } from '../../formats/metashell/state'

export type Change = readonly [keyPath: string, value: Json | undefined]

/**
 * Changes only the bytes of each field; everything else, unknown fields too, stays as it is.
 * @throws AppError INVALID for malformed JSON
 */
export function applyChanges(file: string, text: string, changes: readonly Change[]): string {
  let result = text
  for (const [keyPath, value] of changes) {
    const document = parseLocatedJson(new StateText(file, result))
    const problem = document.findings.find(
      ({ severity, rule }) => severity === 'error' || rule === 'file/duplicate-key',
    )
    if (problem)
      throw new AppError(
        'INVALID',
        `${file}:${problem.line}:${problem.column}: found ${problem.found}; expected ${problem.expected}.`,
        { hint: 'Fix it in an editor, then continue.' },
      )
    const path = resolveKeyPath(document, keyPath)
    if (value === undefined && at(document.root, ...path) === undefined) continue
    result = applyEdits(result, spliceJson(document, path, value))
  }
  return result
}

/**
 * `tasks.<id>` is the task with that id, wherever it stands in the plan's list, and a field has the name that the file
 * uses.
 */
function resolveKeyPath({ root }: LocatedDocument, keyPath: string): Path {
  // Some agents write the whole path as one key; that key is changed then.
  if (field(root, keyPath)) return [keyPath]
  const steps = keyPath.split('.')
  if (steps[0] === 'plan' && steps[1] === 'tasks' && steps.length > 2) steps.shift()
  if (steps[0] === 'tasks' && steps.length > 1) return taskPath(root, steps.slice(1))
  const path = named(root, steps)
  if (keyPath !== 'plan.currentTaskIdx' || at(root, ...path)) return path
  // Version 2 has the cursor at the top.
  const top = named(root, ['currentTaskIdx'])
  return at(root, ...top) ? top : path
}

function taskPath(root: Located | undefined, [first = '', ...rest]: readonly string[]): Path {
  const tasks = itemsOf(field(field(root, 'plan'), 'tasks'))
  // An id may hold dots itself.
  for (let length = rest.length; length >= 0; length--) {
    const id = [first, ...rest.slice(0, length)].join('.')
    const index = tasks.findIndex((task) => textOf(field(task, 'id')) === id)
    if (index >= 0) return ['plan', 'tasks', index, ...named(tasks[index], rest.slice(length))]
  }
  if (tasks.length > 0) throw new AppError('NOT_FOUND', `No task ${first} in the plan.`)
  // Version 2 keeps tasks in plan.json, and each task's status by id at the top of this file.
  return ['tasks', first, ...rest]
}

function named(root: Located | undefined, steps: readonly string[]): Path {
  const path: (string | number)[] = []
  let here = root
  for (const step of steps) {
    const aliases: readonly string[] = Object.values(fieldNames).find((names) => names[0] === step) ?? [step]
    const name = aliases.find((alias) => field(here, alias) !== undefined) ?? step
    const index =
      here?.kind === 'list'
        ? numberOf({ kind: 'scalar', value: step, written: step, pointer: '', start: 0, end: 0 })
        : undefined
    path.push(index ?? name)
    here = at(here, index ?? name)
  }
  return path
}
