/** Runs a crew in a process of its own, to be killed: `crewHost.ts TOP`. Prints `ready`, and `launched PID` for each expert. */
import { CrewProject } from '../support/crewProject'

const project = new CrewProject(process.argv[2] ?? '')
project.onLaunch = (pid) => void process.stdout.write(`launched ${pid}\n`)
process.stdout.write('ready\n')
await project.run()
