import { relative } from 'node:path'
import { ncrew as format } from '../../../formats/ncrew/format'
import { git } from '../../../git/git'
import type { TrustedFolder } from '../../../git/trustedFolder'
import { readCrew } from '../../../loops/ncrew/crewFiles'
import { diagnose, printChecks, type Surroundings } from '../../../loops/ncrew/doctor'
import { noCrew } from '../../../loops/ncrew/runCrew'
import { identifyFolder, requireTrusted } from '../../../projects/trust'
import { defineCommand } from '../../command'
import { EXIT_OK } from '../../output'
import { flag } from '../../parameters'
import { loadRemembered } from '../../remembered'
import type { Session } from '../../session'
import { projectAround } from './crew'
import { crewFolder, ncrewGroup as group } from './group'

const EXIT_ERRORS = 2
const EXIT_NO_CREW = 3

export const ncrewDoctor = defineCommand({
  group,
  name: 'doctor',
  summary: 'Check the files, experts, git and agents of a crew before it runs.',
  positionals: { folder: crewFolder },
  options: { quiet: flag('Only errors.') },
  run: async ({ output, signal, openSession }, { folder, quiet }) => {
    const crew = await readCrew(folder, loadRemembered, signal)
    if (!crew) {
      const { message, hint } = noCrew(folder)
      output.failure({ code: 'NOT_FOUND', message, ...(hint === undefined ? {} : { hint }) })
      return EXIT_NO_CREW
    }
    const session = await openSession()
    const { agents } = await session.client.call('agents.list', {}, signal)
    const trusted = await trustedFolder(session, crew.root, signal)
    const checks = diagnose(crew, {
      findings: format.validate(crew.files),
      git: trusted && (await askGit(trusted, signal)),
      agents: agents.map(({ name, program }) => ({ name, program })),
    })
    output.result({ checks }, printChecks(checks, quiet))
    return checks.some(({ level }) => level === 'error') ? EXIT_ERRORS : EXIT_OK
  },
})

async function askGit(at: TrustedFolder, signal: AbortSignal): Promise<NonNullable<Surroundings['git']>> {
  const args = ['status', '--porcelain', '--branch', '--untracked-files=all', '--', '.']
  const { code, text } = await git(at, args, { signal })
  if (code !== 0) return { isRepository: false, branch: null, changes: 0 }
  const lines = text.split('\n').filter((line) => line !== '')
  const branch = /^## (?:No commits yet on )?(.+?)(?:\.\.\.|$)/.exec(lines[0] ?? '')?.[1] ?? null
  return {
    isRepository: true,
    branch: branch?.startsWith('HEAD (') === true ? null : branch,
    changes: lines.filter((line) => !line.startsWith('##')).length,
  }
}

async function trustedFolder(session: Session, root: string, signal: AbortSignal): Promise<TrustedFolder | undefined> {
  const found = await projectAround(session, root, signal)
  if (!found?.isTrusted) return undefined
  return requireTrusted(
    { path: found.place, trustedAs: identifyFolder(found.place).identity },
    relative(found.real, root).replaceAll('\\', '/'),
  )
}
