import { didYouMean } from '../nearestName'
import { UsageError } from '../usageError'
import { ourCall } from './c64bridgeNames'
import type { Tool } from './tool'
import { tools } from './tools'

export interface FoundTool {
  readonly tool: Tool
  readonly given: Readonly<Record<string, unknown>>
}

export function findTool(name: string, given: Readonly<Record<string, unknown>>): FoundTool {
  const called = ourCall(name, given) ?? { tool: name, given }
  const tool = tools.find((each) => each.name === called.tool)
  if (tool) return { tool, given: called.given }
  const names = tools.map((each) => each.name)
  throw new UsageError(`There is no tool “${name.slice(0, 40)}”.${didYouMean(name, names)} Tools: ${names.join(', ')}.`)
}
