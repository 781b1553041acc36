import { fullName, type Command } from '../command'
import { argumentName, inArgumentNames } from '../namedArguments'
import type { Operation } from './tool'
import { tools } from './tools'

const spellings = (command: Command): string[] => [
  fullName(command),
  ...(command.group?.mayBeOmitted ? [command.name] : []),
]

const isDerived = ({ source, takesBytes, isPicture }: Operation): boolean =>
  source !== undefined || takesBytes === true || isPicture === true

const operationNames: ReadonlyMap<string, string> = new Map(
  tools.flatMap((tool) =>
    Object.entries(tool.operations)
      .toSorted(([, one], [, other]) => Number(isDerived(other)) - Number(isDerived(one)))
      .flatMap(([op, { command }]) => spellings(command).map((name) => [name, `${tool.name} ${op}`] as const)),
  ),
)

/** `bridgedeck task stop 7` becomes `tasks stop 7`. Commands without a tool are for the person, and stay. */
const withTools = (text: string): string =>
  text.replaceAll(/\bbridgedeck ([a-z-]+)( [a-z-]+)?/g, (written, first: string, second = '') => {
    const whole = operationNames.get(`${first}${second}`)
    if (whole !== undefined) return whole
    const alone = operationNames.get(first)
    return alone === undefined ? written : `${alone}${second}`
  })

export const failureInToolWords = (text: string, command: Command | undefined): string =>
  withTools(command ? inArgumentNames(text, command) : text)

export const answerInToolWords = (text: string, { options }: Command): string =>
  withTools(text).replaceAll(/--([a-z][a-z-]*)/g, (written, name: string) =>
    Object.hasOwn(options, name) ? argumentName(name) : written,
  )
