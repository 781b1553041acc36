import { z } from 'zod'
import { c64Keys, joystickInputs } from '@shared/c64/keyboardMatrix'
import { MAX_EXPRESSION_LENGTH } from '@shared/c64/expressions/parseExpression'
import { spaces } from '@shared/contract/memory'
import { canonicalMachineName, machineNamesHint, readMachineName } from '@shared/contract/machineName'
import { decimal, fields, hexPattern, oneKeyOf, oneOf, oneOrMore, whole, words, yes } from './planFields'

const MAX_CASES = 1_000
const MAX_STEPS = 200
const MAX_EXPECTATIONS = 200
const MAX_MACHINES = 10
const MAX_TEXT = 16_384
/** A minute of PAL. */
const MAX_FRAMES = 3_000
const PICTURE = { width: 384, height: 272 }

const file = words('a file in the folder of the checks', 1_000)
const address = words('an address or a label', 600)
const seconds = decimal({ min: 0.1, max: 3600 })
const frames = whole({ min: 1, max: MAX_FRAMES })
const bank = oneOf(spaces)
const expression = words('a condition such as @$d020 == 2', MAX_EXPRESSION_LENGTH)
const screenText = words('a text', MAX_TEXT)

const machineName = z.string({ error: 'the name of a machine' }).transform((name, context) => {
  const read = readMachineName(name)
  if (read) return canonicalMachineName(read)
  context.addIssue({ code: 'custom', message: `the name of a machine. ${machineNamesHint}` })
  return z.NEVER
})

const wait = oneKeyOf(
  {
    text: screenText.optional(),
    until: expression.optional(),
    stop: yes.optional(),
    seconds: decimal({ min: 0.01, max: 3600 }).optional(),
    frames: frames.optional(),
    timeout: seconds.optional(),
  },
  ['timeout'],
)

const memoryAt = { at: address, bank: bank.optional() }
const byte = whole({ min: 0, max: 0xff })
const registerValues = {
  a: byte.optional(),
  x: byte.optional(),
  y: byte.optional(),
  sp: byte.optional(),
  pc: address.optional(),
}
const bit = whole({ min: 0, max: 1 }, '0 or 1')
const flagValues = fields({
  n: bit.optional(),
  v: bit.optional(),
  b: bit.optional(),
  d: bit.optional(),
  i: bit.optional(),
  z: bit.optional(),
  c: bit.optional(),
})

const runTo = z.union([
  address.transform((place) => ({ place, timeout: undefined })),
  fields({ place: address, timeout: seconds.optional() }),
])

const textCodes = ['petscii', 'screen', 'ascii'] as const

const memory = oneKeyOf(
  {
    ...memoryAt,
    bytes: hexPattern.optional(),
    text: screenText.optional(),
    file: file.optional(),
    code: oneOf(textCodes).optional(),
  },
  ['at', 'bank', 'code'],
)

const rowNumber = z.string().regex(/^(?:\d|1\d|2[0-4])$/, 'the number of a row, from 0 to 24')
const screen = z.union([
  screenText.transform((text) => ({ contains: [text] })),
  oneKeyOf({
    contains: oneOrMore(screenText, 100).optional(),
    lacks: oneOrMore(screenText, 100).optional(),
    equals: z
      .string({ error: 'the rows of the screen as text' })
      .max(MAX_TEXT, `at most ${MAX_TEXT} characters`)
      .optional(),
    rows: z
      .record(rowNumber, z.string({ error: 'the text of the row' }).max(1_000, 'at most 1,000 characters'), {
        error: ({ code }) =>
          code === 'invalid_key'
            ? 'a row from 0 to 24 in its place'
            : 'a map with the numbers of rows, such as 0: TITLE',
      })
      .optional(),
  }),
])

const cycleCount = whole({ min: 0, max: 1_000_000_000 })
const cycles = fields({
  from: address.optional(),
  to: address.optional(),
  subroutine: address.optional(),
  min: cycleCount.optional(),
  max: cycleCount.optional(),
  exact: cycleCount.optional(),
  timeout: seconds.optional(),
}).superRefine(({ from, to, subroutine, min, max, exact }, context) => {
  const isRange = from !== undefined && to !== undefined && subroutine === undefined
  const isSubroutine = from === undefined && to === undefined && subroutine !== undefined
  if (!isRange && !isSubroutine) context.addIssue({ code: 'custom', message: 'either from and to, or subroutine' })
  else if (min === undefined && max === undefined && exact === undefined)
    context.addIssue({ code: 'custom', message: 'min, max or exact' })
  else if (exact !== undefined && (min !== undefined || max !== undefined))
    context.addIssue({ code: 'custom', message: 'exact alone, or min and max' })
  else if (min !== undefined && max !== undefined && min > max)
    context.addIssue({ code: 'custom', message: 'a min that is not above max' })
})

const mask = fields({
  x: whole({ min: 0, max: PICTURE.width - 1 }),
  y: whole({ min: 0, max: PICTURE.height - 1 }),
  width: whole({ min: 1, max: PICTURE.width }),
  height: whole({ min: 1, max: PICTURE.height }),
})

const pngFile = file.regex(/\.png$/i, 'a PNG file')
const picture = z.union([
  pngFile.transform((png) => ({ file: png, tolerance: undefined, pixels: undefined, masks: undefined })),
  fields({
    file: pngFile,
    /** Per channel: red, green and blue. */
    tolerance: whole({ min: 0, max: 255 }).optional(),
    pixels: whole({ min: 0, max: PICTURE.width * PICTURE.height }).optional(),
    masks: oneOrMore(mask, 100).optional(),
  }),
])

const expectationSchema = oneKeyOf({
  screen: screen.optional(),
  memory: memory.optional(),
  registers: fields({ ...registerValues, flags: flagValues.optional() }).optional(),
  condition: expression.optional(),
  cycles: cycles.optional(),
  picture: picture.optional(),
})
const expectations = oneOrMore(expectationSchema, MAX_EXPECTATIONS)

const held = { frames: frames.optional() }
const stepSchema = oneKeyOf({
  type: z
    .string({ error: 'what to type' })
    .min(1, 'what to type')
    .max(MAX_TEXT, `at most ${MAX_TEXT} characters`)
    .optional(),
  joystick: fields({
    port: whole({ min: 1, max: 2 }),
    press: oneOrMore(oneOf(joystickInputs), 5),
    ...held,
  }).optional(),
  keys: fields({ press: oneOrMore(oneOf(c64Keys), 20), ...held }).optional(),
  wait: wait.optional(),
  run_to: runTo.optional(),
  write: fields({ ...memoryAt, bytes: hexPattern }).optional(),
  set: fields(registerValues).optional(),
  screenshot: pngFile.optional(),
  expect: expectations.optional(),
})

const SOURCE_LENGTH = 200_000
const source = z
  .string({ error: 'the source of a program' })
  .min(1, 'the source of a program')
  .max(SOURCE_LENGTH, `at most ${SOURCE_LENGTH} characters`)
const caseSchema = fields({
  name: words('a name', 200).regex(/^\P{Cc}*$/u, 'a name without control characters'),
  machines: oneOrMore(machineName, MAX_MACHINES).optional(),
  program: file.optional(),
  assembly: source.optional(),
  basic: source.optional(),
  labels: file.optional(),
  timeout: seconds.optional(),
  steps: oneOrMore(stepSchema, MAX_STEPS).optional(),
  expect: expectations.optional(),
}).superRefine(({ program, assembly, basic, expect, steps }, context) => {
  const programs = [program, assembly, basic].filter((given) => given !== undefined)
  if (programs.length > 1) context.addIssue({ code: 'custom', message: 'one of program, assembly, basic' })
  const checks = steps?.some((step) => step.expect ?? step.wait ?? step.run_to) ?? false
  if (!expect && !checks) context.addIssue({ code: 'custom', message: 'expect, with what the case is to check' })
})

export const planSchema = fields({
  machines: oneOrMore(machineName, MAX_MACHINES).optional(),
  timeout: seconds.optional(),
  cases: z
    .array(caseSchema, { error: 'a list of cases' })
    .min(1, 'at least one case')
    .max(MAX_CASES, `at most ${MAX_CASES} cases`),
}).superRefine(({ cases }, context) => {
  const seen = new Set<string>()
  for (const [index, { name }] of cases.entries()) {
    if (seen.has(name))
      context.addIssue({ code: 'custom', path: ['cases', index, 'name'], message: 'a name that no other case has' })
    seen.add(name)
  }
})

type Placed<Value> = Value & { readonly line: number }
export type Expectation = Placed<z.output<typeof expectationSchema>>
export type Wait = z.output<typeof wait>
export type Memory = z.output<typeof memory>
export type RegisterValues = z.output<ReturnType<typeof fields<typeof registerValues>>>
export type Cycles = z.output<typeof cycles>
export type PictureCheck = z.output<typeof picture>
export type ScreenCheck = z.output<typeof screen>
export type Step = Placed<Omit<z.output<typeof stepSchema>, 'expect'>> & {
  readonly expect?: readonly Expectation[] | undefined
}
export type Case = Placed<Omit<z.output<typeof caseSchema>, 'steps' | 'expect'>> & {
  readonly steps: readonly Step[]
  readonly expect: readonly Expectation[]
  readonly sourceLine: number
}
