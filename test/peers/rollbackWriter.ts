/** Rolls back by an action of a run, as the window does, in a process that can be killed: database, folder, name, target. */
import { projectsHere } from '../support/projectWorkerHere'
import { openDatabase } from '../../src-main/storage/database'

const [path = '', folder = '', name = '', target = ''] = process.argv.slice(2)
const projects = projectsHere(openDatabase(path))
const { project } = await projects.open(folder)
const run = projects.runs({ project, after: null }).runs[0]?.key ?? ''
const request = { kind: 'action' as const, name, target, values: {} }
const { token } = await projects.ask('projects.preview', { project, run, request })
await projects.ask('projects.writeWithGit', { project, run, request, token })
await projects.closeAll()
