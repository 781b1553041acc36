/** What each format has of its own reaches the window as the contract has it: of the sample project and of the specifications’ examples. */
import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { runDetailsSchema } from '@shared/contract/runDetails'
import { describe, expect, it } from 'vitest'
import { describeDetails } from '../../src-main/projects/read/describeRun'
import type { Format } from '../../src-main/formats/format'
import { formats } from '../../src-main/formats/formats'
import { runsIn } from '../support/projectFiles'

function filesIn(folder: string): Record<string, Buffer> {
  const root = resolve(folder)
  const paths = readdirSync(root, { recursive: true, encoding: 'utf8', withFileTypes: true }).flatMap((entry) =>
    entry.isFile() ? [join(entry.parentPath, entry.name).slice(root.length + 1)] : [],
  )
  return Object.fromEntries(paths.map((path) => [path.replaceAll('\\', '/'), readFileSync(join(root, path))]))
}

const told = (format: Format, project: Record<string, Buffer | string>) =>
  runsIn(format, project).map(({ reading }) => runDetailsSchema.parse(describeDetails(reading.details).details))

describe('what a run has of its own', () => {
  it.each(formats.map((format) => [format.name, format] as const))(
    'is told of %s in the sample project',
    (name, format) => {
      const runs = told(format, filesIn('resources/sample-project'))
      expect(runs.length).toBeGreaterThan(0)
      for (const { system } of runs) expect(system).toBe(name)
    },
  )

  it('has the reports of a tuning run that are there', () => {
    const work = '.workflow/.scratchpad/skill-tuning-20260101000000'
    const others = {
      'tuning-report.md': '# Report',
      'abort-report.md': '# Aborted',
      'notes.md': '',
      'backups/x-backup/tuning-summary.md': '',
    }
    const files = {
      [`${work}/state.json`]: '{}',
      ...Object.fromEntries(Object.entries(others).map(([name, text]) => [`${work}/${name}`, text])),
    }
    const [run] = formats.filter(({ name }) => name === 'tuning').flatMap((format) => told(format, files))
    expect(run).toMatchObject({ system: 'tuning', reports: [`${work}/tuning-report.md`, `${work}/abort-report.md`] })
  })

  it('is told of broken files too', () => {
    const broken = {
      '.meta/session.json': '{"variables": {"a": {"b": [1, null]}',
      'INDEX.md': '---\n{',
      '.gemini/state/active-session.md': '---\nphases: 3',
      '.workflow/.scratchpad/skill-tuning-20260101000000/state.json': '{"issues": [{"severity": NaN}',
    }
    for (const format of formats) expect(() => told(format, broken)).not.toThrow()
  })

  it('has the values of Meta-Shell as text, whatever they are', () => {
    const [metashell] = formats
      .filter(({ name }) => name === 'metashell')
      .flatMap((format) => told(format, { '.meta/session.json': '{"variables": {"a": "x", "b": {"c": 1}}}' }))
    expect(
      metashell?.system === 'metashell' && metashell.variables.map(({ name, value }) => `${name} ${value}`),
    ).toEqual(['a x', 'b {\n  "c": 1\n}'])
  })
})
