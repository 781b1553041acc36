/** What the tools cost an agent’s model. */
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { CommandLine } from '../support/commandLine'
import { startAgent } from '../support/mcpClient'
import { toolListTokens, walkRights, walkWithAnswers, walkWithHex } from '../support/mcpTokens'

let calls: CommandLine
let agent: Client
beforeAll(async () => {
  calls = new CommandLine()
  agent = await startAgent(calls, ...walkRights)
})
afterAll(async () => {
  await agent.close()
  await calls.remove()
})

describe('the tokens of an agent', () => {
  it('are fewer than 6,000 for the list of tools, and as many as the docs say', async () => {
    const tokens = await toolListTokens(agent)
    expect(tokens).toBeLessThan(6_000)
    const [, told = ''] =
      /The list of tools is about ([\d,]+) tokens/.exec(readFileSync('docs/agents.md', 'utf8')) ?? []
    expect(Math.abs(Number(told.replaceAll(',', '')) - tokens)).toBeLessThan(tokens / 10)
  })

  it('are at most half of those that the same search needs with bytes in hex', async () => {
    const answers = await walkWithAnswers(agent)
    expect(answers.found).toContain('CPX #$11')
    const hex = await walkWithHex(agent)
    expect(hex.found).toMatch(/PC\s+\$0867/)
    expect(answers.tokens).toBeLessThan(hex.tokens / 2)
  })
})
