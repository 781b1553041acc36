export const agentClients = ['claude', 'gemini', 'codex', 'vscode', 'cursor'] as const
export type AgentClient = (typeof agentClients)[number]

export const agentClientTitles: Readonly<Record<AgentClient, string>> = {
  claude: 'Claude Code',
  gemini: 'Gemini CLI',
  codex: 'Codex CLI',
  vscode: 'VS Code',
  cursor: 'Cursor',
}
