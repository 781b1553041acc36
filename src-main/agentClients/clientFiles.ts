import { isAbsolute, join } from 'node:path'
import type { AgentClient } from '@shared/agentClients'

export interface ClientFile {
  readonly format: 'json' | 'jsonWithComments' | 'toml'
  readonly section: string
  readonly hasType: boolean
  readonly own: (surroundings: Surroundings) => string
  /** Relative to a project, with `/`. */
  readonly ofProject: string
}

interface Surroundings {
  readonly environment: NodeJS.ProcessEnv
  readonly home: string
  readonly platform: NodeJS.Platform
}

export const clientFiles: Readonly<Record<AgentClient, ClientFile>> = {
  // https://code.claude.com/docs/en/mcp
  claude: {
    format: 'json',
    section: 'mcpServers',
    hasType: true,
    ofProject: '.mcp.json',
    own: ({ environment, home }) => join(environment.CLAUDE_CONFIG_DIR || home, '.claude.json'),
  },
  // https://geminicli.com/docs/tools/mcp-server
  gemini: {
    format: 'jsonWithComments',
    section: 'mcpServers',
    hasType: false,
    ofProject: '.gemini/settings.json',
    own: ({ environment, home }) => join(environment.GEMINI_CLI_HOME || home, '.gemini', 'settings.json'),
  },
  // https://developers.openai.com/codex/mcp
  codex: {
    format: 'toml',
    section: 'mcp_servers',
    hasType: false,
    ofProject: '.codex/config.toml',
    own: ({ environment, home }) => join(environment.CODEX_HOME || join(home, '.codex'), 'config.toml'),
  },
  // https://code.visualstudio.com/docs/copilot/reference/mcp-configuration
  vscode: {
    format: 'jsonWithComments',
    section: 'servers',
    hasType: true,
    ofProject: '.vscode/mcp.json',
    own: (surroundings) => join(settingsFolder(surroundings), 'Code', 'User', 'mcp.json'),
  },
  // https://cursor.com/docs/mcp
  cursor: {
    format: 'jsonWithComments',
    section: 'mcpServers',
    hasType: true,
    ofProject: '.cursor/mcp.json',
    own: ({ home }) => join(home, '.cursor', 'mcp.json'),
  },
}

function settingsFolder({ environment, home, platform }: Surroundings): string {
  if (platform === 'win32') return environment.APPDATA ?? join(home, 'AppData', 'Roaming')
  if (platform === 'darwin') return join(home, 'Library', 'Application Support')
  const { XDG_CONFIG_HOME: config } = environment
  return config && isAbsolute(config) ? config : join(home, '.config')
}
