/** The real Gemini CLI calls the hooks that `bridgedeck maestro hooks install` gave a project. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { filesOf } from '../support/oddAgents'
import { RealAgentHome } from '../support/realAgents'

let home: RealAgentHome
beforeEach(async () => {
  home = await RealAgentHome.start('gemini')
})
afterEach(() => home.remove())

/** The command that the hooks name, with a note of each call. @returns where the notes are */
function putCommand({ calls }: RealAgentHome): string {
  const bin = join(calls.folder, 'bin')
  const notes = join(calls.folder, 'hook-calls')
  mkdirSync(bin)
  writeFileSync(
    join(bin, 'bridgedeck'),
    `#!/bin/sh\necho "$@" >> '${notes}'\nexec '${process.execPath}' '${resolve('out/main/cli.cjs')}' "$@"\n`,
    { mode: 0o755 },
  )
  calls.environment['PATH'] = `${bin}:${calls.environment['PATH']}`
  return notes
}

it('Gemini CLI calls the hooks of a project as an agent of a run, and its model learns the phase', async () => {
  const { calls, repository, api } = home
  const notes = putCommand(home)
  calls.environment['INIT_CWD'] = repository.root
  repository.commit('Begin', filesOf.maestro())
  await calls.run('maestro', 'hooks', 'install', '--yes')
  repository.commit('Hooks')
  const { code, stderr } = await calls.run('maestro', 'run', repository.root, '--trust')
  expect([code, stderr]).toEqual([0, expect.stringContaining('Archived the session')])
  const called = readFileSync(notes, 'utf8').trim().split('\n')
  expect(called.map((line) => line.replace(/^maestro hook (\S+).*/, '$1'))).toEqual(
    expect.arrayContaining(['session-start', 'before-agent', 'after-agent', 'session-end']),
  )
  const asked = api.ledger.filter(({ isTask }) => isTask).map(({ asked: { instructions } }) => instructions)
  expect(asked.join('\n')).toMatch(/phase.{0,20}1/i)
})
