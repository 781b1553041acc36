/** The four runs of the sample project, each driven to its end by the one command that the documentation has for it. */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { SampleCopy } from '../support/sampleCopy'

let sample: SampleCopy
beforeAll(async () => {
  sample = new SampleCopy()
  await sample.make()
})
afterAll(() => sample.remove())

describe('the command that is documented for the sample’s run of', () => {
  it.each(['metashell', 'ncrew', 'maestro', 'tuning'])('%s drives it to its end', async (system) => {
    const [line = '', ...others] = sample.runs(system)
    expect(others).toEqual([])
    expect(await sample.call(line)).toMatchObject({ code: 0 })
    expect(await sample.states(system)).toEqual(new Set(['done']))
  })

  it('has an agent program the C64 and keep its screen, with the rights that were set for it', () => {
    const folder = join(sample.folder, 'sprite-editor')
    expect(readFileSync(join(folder, 'proof-screen.txt'), 'utf8')).toMatch(/^PROVEN 02-04$/m)
    expect(execFileSync('git', ['log', '--format=%s', '--', 'proof.asm'], { cwd: folder, encoding: 'utf8' })).toBe(
      'feat(02-04): Save the list as one PRG\n',
    )
  })

  it('leaves complete files, by each format’s rules, and nothing that needs a person', async () => {
    expect(await sample.faults()).toEqual([])
    expect((await sample.calls.run('project', 'needs', sample.folder)).stdout).toBe('Nothing needs you.\n')
  })
})
