import { AppError } from '@shared/contract/errors'
import { runHold } from '@shared/runHold'
import { SessionFiles } from '../../../loops/metashell/sessionFiles'
import { printStatus, sessionStatus } from '../../../loops/metashell/status'
import { inspectProject } from '../../../projects/read/inspectProject'
import { defineCommand } from '../../command'
import { EXIT_OK, loopExitCode } from '../../exitCodes'
import { loadRemembered } from '../../remembered'
import { metashellFolder, metashellGroup as group } from './group'

export const metashellStatus = defineCommand({
  group,
  name: 'status',
  summary: 'Show a session’s progress, and what it needs.',
  positionals: { folder: metashellFolder },
  data: {
    project: 'text or null',
    phase: 'as written',
    phaseTitle: 'text or null',
    phases: 'how many context.md names',
    done: 'tasks',
    tasks: 'how many',
    replans: 'number',
    maxReplans: 'number',
    status: 'planning, executing, verifying, halted or null',
    nextTask: 'text or null',
    needs: 'texts',
    checks: 'texts: the task, what its agent says and what Bridgedeck found',
    code: 'the exit code that run would have; 100 when it would continue',
    reason: 'text or null',
  },
  examples: ['metashell status .'],
  run: async ({ output, signal }, { folder }) => {
    const project = await inspectProject(folder, loadRemembered, signal)
    const found = project.runs.find(({ view }) => view.system === 'metashell' && view.folder === '')
    const files = new SessionFiles({ root: project.folder, folder: '' }, () => undefined)
    const remembered = loadRemembered(project.folder)('metashell:.meta/session.json')
    if (!found || !(await files.hasSession()))
      throw new AppError('NOT_FOUND', `There is no session in ${folder}.`, { hint: 'metashell run starts one.' })
    const status = sessionStatus(found.view, (await files.read()).snapshot, runHold(remembered))
    const { end, ...shown } = status
    const code = loopExitCode({ state: 'ended', outcome: 'paused', ...end })
    output.result({ ...shown, code, reason: end?.message ?? null }, printStatus(status))
    return EXIT_OK
  },
})
