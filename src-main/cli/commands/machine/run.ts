import { setTimeout as wait } from 'node:timers/promises'
import { AppError } from '@shared/contract/errors'
import { defineCommand } from '../../command'
import { EXIT_OK } from '../../exitCodes'
import { framesPerSecond } from '@shared/c64/frameRate'
import { filePath, flag, machine, number, required, withDefault } from '../../parameters'
import { savePicture } from '../../picture'
import { readScreen, screenTextOf, waitForText, waitOptions } from '../../screenText'
import { programOf } from '../../sourceProgram'
import { machineGroup as group } from './group'

export const machineRun = defineCommand({
  group,
  name: 'run',
  summary: 'Load a program and run it.',
  details:
    'An assembler source (.asm, .s, .a) is assembled first, and BASIC text (.bas) made a program, in one step: common spellings of labels, data and expressions are read, but neither macros nor other files. See bridgedeck build for your own assembler.',
  positionals: { file: required(filePath('The program.')) },
  options: {
    frames: withDefault(
      number('N', 'How many frames to run it before the picture, or before this call ends its machine.', {
        min: 0,
        max: 1_000_000,
      }),
      150,
    ),
    song: number('N', 'Which song of a SID file to play, from 1 (Ultimate).', { min: 1, max: 256 }),
    screen: flag('Show the text screen afterwards.'),
    png: filePath('Save the screen as this PNG file afterwards.'),
    ...waitOptions,
    machine: machine('The machine to run it on.'),
  },
  data: {
    machine: 'the machine’s name',
    program: 'its file name',
    'png?': 'absolute path',
    'rows?': 'with --screen and --wait-for: 25 texts',
  },
  examples: ['run game.prg --png after.png', 'run hello.bas --screen', "run game.asm --wait-for 'press fire'"],
  run: async (
    { output, environment, signal, openSession },
    { file, frames, song, png, screen, timeout, machine, ...values },
  ) => {
    const path = await programOf(file, environment)
    const session = await openSession()
    await session.connect(machine, signal)
    const { name } = await session.client.call(
      'machine.runProgram',
      { machine, path, watch: false, ...(song === undefined ? {} : { song }) },
      signal,
    )
    const state = async () => {
      const { machines } = await session.client.call('machine.list', {}, signal)
      return machines.find((known) => known.machine === machine)
    }
    const wanted = values['wait-for']
    if (wanted === undefined && (png || screen || session.endsWithCall(machine))) {
      const standard = (await state())?.standard ?? 'pal'
      await wait((frames * 1000) / framesPerSecond[standard], undefined, { signal })
    }
    const found = wanted === undefined ? null : await waitForText(session, machine, { wanted, timeout }, signal)
    const shown = found ?? (screen ? await readScreen(session, machine, signal) : null)
    if (png) await savePicture(session, machine, png, signal)
    const after = await state()
    if (after?.execution === 'jammed') throw new AppError('INVALID', `${name}: ${after.reason ?? 'The CPU is jammed.'}`)
    output.result(
      { machine, program: name, ...(png ? { png: png.path } : {}), ...(shown ? { rows: shown.rows } : {}) },
      [`${name} runs on ${machine}.`, ...(shown ? [screenTextOf(shown)] : [])],
    )
    return EXIT_OK
  },
})
