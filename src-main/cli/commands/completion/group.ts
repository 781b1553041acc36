import { ABOUT_HEADING, type CommandGroup } from '../../command'

export const completionGroup: CommandGroup = {
  name: 'completion',
  heading: ABOUT_HEADING,
  summary: 'Completion of commands, options, values, machines and files by the Tab key of a shell',
  details:
    'Each command prints a script. Load it when the shell starts:\n' +
    'bash: add to ~/.bashrc: source <(bridgedeck completion bash)\n' +
    'zsh: add to ~/.zshrc, behind compinit: source <(bridgedeck completion zsh)\n' +
    'fish: bridgedeck completion fish > ~/.config/fish/completions/bridgedeck.fish\n' +
    'PowerShell: add to $PROFILE: bridgedeck completion powershell | Out-String | Invoke-Expression',
}
