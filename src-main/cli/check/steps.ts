import type { CheckedMachine } from './checkedMachine'
import type { RegisterValues, Step, Wait } from './planSchema'

const DEFAULT_WAIT_S = 30
const DEFAULT_RUN_TO_S = 10

type Action = Omit<Step, 'expect' | 'screenshot' | 'line'>

/** @throws CheckFailed for a wait in vain, AppError for what the machine cannot do */
export async function takeStep(step: Action, machine: CheckedMachine, signal: AbortSignal): Promise<void> {
  const { client } = machine.session
  const on = { machine: machine.name }
  const { type, joystick, keys, wait, run_to: runTo, write, set } = step
  if (type !== undefined) {
    machine.require('typeText')
    await client.call('machine.typeText', { ...on, text: typedText(type) }, signal)
  } else if (joystick) {
    const port = joystick.port === 1 ? 1 : 2
    await machine.holdJoystick(port, joystick.press, signal)
    if (joystick.frames === undefined) return
    await machine.advance(joystick.frames, signal)
    await machine.holdJoystick(port, [], signal)
  } else if (keys) {
    await machine.holdKeys(keys.press, signal)
    if (keys.frames === undefined) return
    await machine.advance(keys.frames, signal)
    await machine.holdKeys([], signal)
  } else if (wait) await waitFor(wait, machine, signal)
  else if (runTo) await machine.runTo(runTo.place, runTo.timeout ?? DEFAULT_RUN_TO_S, signal)
  else if (write) {
    const address = await machine.resolve(write.at, signal)
    const bytes = Uint8Array.from(write.bytes, (byte) => byte ?? 0)
    await client.call('memory.write', { ...on, space: write.bank ?? 'cpu', address, bytes }, signal)
  } else if (set) await setRegisters(set, machine, signal)
}

/** Letters of both cases are keys without Shift. */
export const typedText = (text: string): string => text.replaceAll(/\{return\}/gi, '\n').toLowerCase()

async function setRegisters(
  { pc, ...bytes }: RegisterValues,
  machine: CheckedMachine,
  signal: AbortSignal,
): Promise<void> {
  machine.require('setRegisters')
  const values = Object.entries(bytes)
  if (pc !== undefined) values.push(['pc', await machine.resolve(pc, signal)])
  for (const [name, value] of values) {
    if (value === undefined) continue
    await machine.session.client.call(
      'memory.setRegister',
      { machine: machine.name, name: name.toUpperCase(), value },
      signal,
    )
  }
}

async function waitFor(wait: Wait, machine: CheckedMachine, signal: AbortSignal): Promise<void> {
  const { text, until, stop, seconds, frames, timeout = DEFAULT_WAIT_S } = wait
  const late = (what: string, expected: string) => (screen: string) => ({
    message: `${what} in ${timeout} s.`,
    expected,
    found: screen === '' ? '(an empty screen)' : screen,
  })
  if (frames !== undefined || seconds !== undefined) {
    await machine.advance(frames ?? machine.framesIn(seconds ?? 0), signal)
  } else if (text !== undefined) {
    const shows = async () =>
      (await machine.screen(signal))
        .map((row) => row.trimEnd())
        .join('\n')
        .toLowerCase()
        .includes(text.toLowerCase())
    await machine.until(async () => ((await shows()) ? true : null), {
      seconds: timeout,
      signal,
      failure: late(`The screen did not show “${text.slice(0, 200)}”`, text),
    })
  } else if (until !== undefined) {
    const evaluate = () =>
      machine.session.client.call('labels.evaluate', { machine: machine.name, expressions: [until] }, signal)
    await machine.until(async () => ((await evaluate()).values[0] === 0 ? null : true), {
      seconds: timeout,
      signal,
      failure: late(`${until} did not become true`, until),
    })
  } else if (stop) {
    await machine.until(async () => ((await machine.hasStopped(signal)) ? true : null), {
      seconds: timeout,
      signal,
      mayStop: true,
      failure: late('The CPU did not stop', 'a jammed CPU, or a stop at a checkpoint'),
    })
  }
}
