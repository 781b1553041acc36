import { relative } from 'node:path'
import { ncrew as format } from '../../../formats/ncrew/format'
import { readCrew } from '../../../loops/ncrew/crewFiles'
import { diagnose, printChecks } from '../../../loops/ncrew/doctor'
import { readRepository } from '../../../loops/repository'
import { noCrew } from '../../../loops/ncrew/runCrew'
import { identifyFolder, requireTrusted } from '../../../projects/trust'
import { defineCommand } from '../../command'
import { EXIT_OK } from '../../exitCodes'
import { flag } from '../../parameters'
import { loadRemembered } from '../../remembered'
import type { Session } from '../../session'
import { projectAround } from '../../aroundProject'
import { crewFolder, ncrewGroup as group } from './group'

const EXIT_ERRORS = 2
const EXIT_NO_CREW = 3

export const ncrewDoctor = defineCommand({
  group,
  name: 'doctor',
  summary: 'Check the files, experts, git and agents of a crew before it runs.',
  positionals: { folder: crewFolder },
  options: { quiet: flag('Only errors.') },
  data: { checks: '[{ area, level, text, … }]' },
  examples: ['ncrew doctor', 'ncrew doctor ~/idea --quiet'],
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
      git: trusted && (await readRepository(trusted, signal)),
      agents: agents.map(({ name, program }) => ({ name, program })),
    })
    output.result({ checks }, printChecks(checks, quiet))
    return checks.some(({ level }) => level === 'error') ? EXIT_ERRORS : EXIT_OK
  },
})

async function trustedFolder(session: Session, root: string, signal: AbortSignal) {
  const found = await projectAround(session, root, signal)
  if (!found?.isTrusted) return undefined
  return requireTrusted(
    { path: found.place, trustedAs: identifyFolder(found.place).identity },
    relative(found.real, root).replaceAll('\\', '/'),
  )
}
