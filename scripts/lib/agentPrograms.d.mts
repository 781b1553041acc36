export type AgentProgram = 'claude' | 'gemini' | 'codex'
export const agentProgramNames: readonly AgentProgram[]
export const agentPrograms: Readonly<
  Record<AgentProgram, { readonly title: string; readonly package: string; readonly version: string }>
>
export function programCache(environment?: NodeJS.ProcessEnv, platform?: NodeJS.Platform): string
export function agentProgram(name: AgentProgram): string | undefined
export function versionUsed(name: AgentProgram): string
export function variableOf(name: AgentProgram): string
export function notInstalled(name: AgentProgram): string
export function installAgentProgram(name: AgentProgram, version?: string): Promise<string | undefined>
export function newestVersion(name: AgentProgram): Promise<string | undefined>
