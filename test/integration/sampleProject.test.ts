import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { maestro } from '../../src-main/formats/maestro/format'
import { metashell } from '../../src-main/formats/metashell/format'
import { ncrew } from '../../src-main/formats/ncrew/format'
import { tuning } from '../../src-main/formats/tuning/format'
import { runStory } from '../../src-main/projects/read/runStory'
import { onlyRun, runsIn, told } from '../support/projectFiles'

const folder = resolve('resources/sample-project')
const paths = readdirSync(folder, { recursive: true, encoding: 'utf8', withFileTypes: true }).flatMap((entry) =>
  entry.isFile()
    ? [
        join(entry.parentPath, entry.name)
          .slice(folder.length + 1)
          .replaceAll('\\', '/'),
      ]
    : [],
)
const project = Object.fromEntries(paths.map((path) => [path, readFileSync(join(folder, path))]))

describe('the sample project', () => {
  it('has a Maestro session that waits for a person, and an archived one, both without a fault', () => {
    const runs = runsIn(maestro, project)
    expect(
      runs.map(({ reading: { view } }) => [
        view.title.value,
        view.archived,
        view.state.value,
        view.needs.map(({ title }) => title),
      ]),
    ).toEqual([
      ['A scroller over colour bars, on a disk image', false, 'waiting', ['Phase “Music” failed']],
      ['A title screen in multicolour', true, 'done', []],
    ])
    expect(told(runs.flatMap(({ problems }) => problems))).toEqual([])
    const [batch] = runs[0]?.reading.details.batches ?? []
    expect(batch?.agents.map(({ name, state }) => `${name} ${state}`)).toEqual(['coder success', 'debugger timeout'])
  })

  it('has a tuning run whose fixes wait to be chosen, without a fault', () => {
    const { reading, problems } = onlyRun(tuning, project)
    expect([reading.view.title.value, reading.view.state.value]).toEqual([
      'sprite-sheets: From the twelfth sprite on the colours are wrong',
      'gate',
    ])
    expect(reading.view.needs).toMatchObject([
      {
        kind: 'approval',
        options: ['FIX-1: Keep only the last five results in the history', 'FIX-2: Repeat the colours in every prompt'],
      },
    ])
    expect(told(problems)).toEqual([])
    expect(reading.view.artefacts.filter(({ exists }) => !exists)).toEqual([])
  })

  it('has a run of each format whose story can be told', () => {
    const stories = [metashell, ncrew, maestro, tuning].map((format) => {
      const [run] = runsIn<unknown>(format, project)
      const { number, title, state, tasks, waiting } = (run && runStory(run.reading.view).phase) ?? {}
      return [number, title, state, tasks, waiting]
    })
    expect(stories).toEqual([
      [2, 'Several sprites and their animation', 'active', { done: 2, total: 4 }, 1],
      [2, 'Architecture', 'active', { done: 1, total: 3 }, 1],
      [3, 'Music', 'failed', { done: 0, total: 0 }, 2],
      [5, 'Apply and verify', 'todo', { done: 0, total: 2 }, 1],
    ])
  })

  it('has what its Meta-Shell session names: files from the session’s own folder, and no commits', () => {
    const { reading, problems } = onlyRun(metashell, project)
    expect(told(problems)).toEqual([])
    expect(reading.view.artefacts).toContainEqual(
      expect.objectContaining({ path: 'sprite-editor/list.go', exists: true }),
    )
    expect(reading.view.artefacts.filter(({ exists }) => exists !== true)).toEqual([])
    expect(reading.view.phases.flatMap(({ tasks }) => tasks.flatMap(({ commits }) => commits?.value ?? []))).toEqual([])
  })

  it('has the files that its fixes would change', () => {
    const { details } = onlyRun(tuning, project).reading
    for (const { changes } of details.fixes) {
      for (const { file, diff } of changes) {
        const path = join(folder, details.skill.path.value ?? '', file.value ?? '')
        expect(existsSync(path)).toBe(true)
        const removed =
          diff.value
            ?.split('\n')
            .filter((line) => /^[ -](?!-)/.test(line))
            .map((line) => line.slice(1)) ?? []
        expect(readFileSync(path, 'utf8')).toContain(removed.join('\n'))
      }
    }
  })
})
