import { basename } from 'node:path'
import { MAX_OUTCOME_FRAMES, MAX_OUTCOME_SECONDS, type Awaited, type Outcome } from '@shared/contract/running'
import { requireGoodRun } from '@shared/outcomeProblem'
import { defineCommand } from '../../command'
import { EXIT_OK } from '../../exitCodes'
import { dataOf, outcomeData, outcomeLines, outcomeOf, requireText } from '../../outcomes'
import { filePath, flag, machine, number, required } from '../../parameters'
import { savePicture } from '../../picture'
import { waitOptions } from '../../screenText'
import { programOf } from '../../sourceProgram'
import { machineGroup as group } from './group'

export const machineRun = defineCommand({
  group,
  name: 'run',
  summary: 'Load a program and run it.',
  details:
    'An assembler source (.asm, .s, .a) is assembled first, and BASIC text (.bas) becomes a program. Common spellings of labels, data and expressions are read, but no macros and no other files. For your own assembler, see bridgedeck build.',
  positionals: { file: required(filePath('The program.')) },
  options: {
    frames: number('N', 'Then run it for this many frames. Default: 150 before a picture or the screen, else none.', {
      min: 0,
      max: MAX_OUTCOME_FRAMES,
    }),
    song: number('N', 'Which song of a SID file to play, from 1 (Ultimate).', { min: 1, max: 256 }),
    screen: flag('Show the text screen afterwards.'),
    png: filePath('Save the screen as this PNG file afterwards.'),
    ...waitOptions,
    machine: machine('The machine to run it on.'),
  },
  data: {
    machine: 'the machine’s name',
    program: 'its file name',
    started: 'whether its first instruction or line ran; null where the machine does not tell',
    ...outcomeData,
    'png?': 'absolute path',
  },
  examples: ['run game.prg --png after.png', 'run hello.bas --screen', "run game.asm --wait-for 'press fire'"],
  run: async (
    { output, environment, signal, openSession },
    { file, frames, song, png, screen, timeout, machine, ...values },
  ) => {
    const path = await programOf(file, environment)
    const session = await openSession()
    await session.connect(machine, signal)
    const title = basename(file.written)
    const { name, started } = await session.client.call(
      'machine.runProgram',
      { machine, path, title, watch: false, ...(song === undefined ? {} : { song }) },
      signal,
    )
    const awaited = values['wait-for']
    const isShown = png !== undefined || screen || session.endsWithCall(machine)
    const run = frames ?? (isShown ? FRAMES_BEFORE_PICTURE : 0)
    const wanted: Awaited = awaited === undefined ? { frames: run } : { text: awaited }
    const outcome = await outcomeOf(session, machine, { awaits: wanted, seconds: secondsFor(wanted, timeout) }, signal)
    if (png) await savePicture(session, machine, png, signal)
    requireGoodRun(name, started, outcome)
    if (awaited !== undefined) requireText(machine, { awaited, seconds: timeout }, outcome)
    output.result({ machine, program: name, started, ...dataOf(outcome), ...(png ? { png: png.path } : {}) }, [
      describeRun(machine, name, started, outcome),
      ...outcomeLines(outcome, screen || awaited !== undefined),
    ])
    return EXIT_OK
  },
})

const FRAMES_BEFORE_PICTURE = 150
const SLOWEST_FRAMES_PER_SECOND = 5
const MIN_SECONDS = 5

const secondsFor = (awaits: Awaited, timeout: number): number =>
  typeof awaits === 'object' && 'frames' in awaits
    ? Math.min(MAX_OUTCOME_SECONDS, MIN_SECONDS + awaits.frames / SLOWEST_FRAMES_PER_SECOND)
    : timeout

function describeRun(machine: string, name: string, started: boolean | null, { execution }: Outcome): string {
  if (execution === 'paused') return `${name} ran on ${machine} and stopped.`
  if (started === false) return `${name} is loaded into ${machine}, but its first instruction was not seen.`
  return `${name} runs on ${machine}.`
}
