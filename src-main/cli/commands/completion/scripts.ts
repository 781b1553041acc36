/**
 * The scripts ask `bridgedeck completion words` what can follow. It prints a word a line, with its help behind a tab,
 * and `:file` or `:folder` where the shell completes itself.
 */
import { defineCommand, type Command } from '../../command'
import { EXIT_OK } from '../../exitCodes'
import { completionGroup as group } from './group'

/** Bash treats the text behind the last `:` or `=` as the word. */
const bash = `# bash completion of bridgedeck
_bridgedeck() {
  local line="\${COMP_LINE:0:COMP_POINT}" current='' kept='' word help
  local -a words=()
  read -a words <<<"$line"
  case "$line" in *[[:space:]]) words+=('') ;; esac
  current="\${words[\${#words[@]}-1]}"
  unset "words[\${#words[@]}-1]"
  case "$current" in *[:=]*) kept="\${current%"\${current##*[:=]}"}" ;; esac
  COMPREPLY=()
  while IFS=$'\\t' read -r word help; do
    case "$word" in
      :file) compopt -o filenames 2>/dev/null; while IFS= read -r word; do COMPREPLY+=("$word"); done < <(compgen -f -- "$current") ;;
      :folder) compopt -o filenames 2>/dev/null; while IFS= read -r word; do COMPREPLY+=("$word"); done < <(compgen -d -- "$current") ;;
      *:) compopt -o nospace 2>/dev/null; COMPREPLY+=("\${word#"$kept"}") ;;
      *) COMPREPLY+=("\${word#"$kept"}") ;;
    esac
  done < <(bridgedeck completion words --current="$current" -- "\${words[@]:1}" 2>/dev/null)
}
complete -F _bridgedeck bridgedeck
`

const zsh = `#compdef bridgedeck
# zsh completion of bridgedeck
_bridgedeck() {
  local line word
  local -a described prefixes
  for line in "\${(@f)$(bridgedeck completion words --current="\${(Q)PREFIX}" -- "\${(@Q)words[2,CURRENT-1]}" 2>/dev/null)}"; do
    word="\${line%%$'\\t'*}"
    case "$word" in
      '') ;;
      :file) _files ;;
      :folder) _files -/ ;;
      *:) prefixes+=("$word") ;;
      *) described+=("\${word//:/\\\\:}:\${line#*$'\\t'}") ;;
    esac
  done
  (( $#prefixes )) && compadd -S '' -- "\${prefixes[@]}"
  (( $#described )) && _describe bridgedeck described
  return 0
}
if [ "$funcstack[1]" = _bridgedeck ]; then _bridgedeck "$@"; else compdef _bridgedeck bridgedeck; fi
`

const fish = `# fish completion of bridgedeck
function __bridgedeck_words
    set -l before (commandline -opc)
    set -l current (commandline -ct)
    for line in (bridgedeck completion words --current="$current" -- $before[2..-1] 2>/dev/null)
        switch $line
            case ':file'
                __fish_complete_path "$current"
            case ':folder'
                __fish_complete_directories "$current"
            case '*'
                echo $line
        end
    end
end
complete -c bridgedeck -f -a '(__bridgedeck_words)'
`

const powershell = `# PowerShell completion of bridgedeck
Register-ArgumentCompleter -Native -CommandName bridgedeck -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)
    $before = @($commandAst.CommandElements | Select-Object -Skip 1 |
        Where-Object { $_.Extent.EndOffset -lt $cursorPosition } |
        ForEach-Object { if ($null -ne $_.Value) { [string]$_.Value } else { $_.Extent.Text } })
    bridgedeck completion words "--current=$wordToComplete" '--' @before 2>$null | ForEach-Object {
        $word, $help = $_ -split "\`t", 2
        if ($word -eq ':file' -or $word -eq ':folder') {
            [System.Management.Automation.CompletionCompleters]::CompleteFilename($wordToComplete)
        } else {
            if (-not $help) { $help = $word }
            [System.Management.Automation.CompletionResult]::new($word, $word, 'ParameterValue', $help)
        }
    }
}
`

const scriptCommand = (name: string, title: string, script: string, load: string): Command =>
  defineCommand({
    group,
    name,
    summary: `Print the completion script for ${title}.`,
    details: load,
    printsPlainText: true,
    examples: [`completion ${name}`],
    run: ({ output }) => {
      output.stream(script)
      return Promise.resolve(EXIT_OK)
    },
  })

export const completionScripts: readonly Command[] = [
  scriptCommand(
    'bash',
    'bash',
    bash,
    'To load it at each start, add to ~/.bashrc: source <(bridgedeck completion bash)',
  ),
  scriptCommand(
    'zsh',
    'zsh',
    zsh,
    'To load it at each start, add to ~/.zshrc, behind compinit: source <(bridgedeck completion zsh)',
  ),
  scriptCommand(
    'fish',
    'fish',
    fish,
    'To load it at each start: bridgedeck completion fish > ~/.config/fish/completions/bridgedeck.fish',
  ),
  scriptCommand(
    'powershell',
    'PowerShell',
    powershell,
    'To load it at each start, add to $PROFILE: bridgedeck completion powershell | Out-String | Invoke-Expression',
  ),
]
