import { Command, type ErrorOptions } from 'commander'
import { cliTranslator } from '#messages/cli.ts'

const t = cliTranslator()

/**
 * The parser's own errors, in the language of the terminal. Commander names each by a code, and what it is about only
 * in its English words.
 */
export class TranslatedCommand extends Command {
  override createCommand(name?: string): Command {
    return new TranslatedCommand(name)
  }

  override error(message: string, options?: ErrorOptions): never {
    return super.error(usageError(options?.code, message) ?? message, options)
  }
}

/** Undefined for a code that is not known here. */
function usageError(code: string | undefined, message: string): string | undefined {
  const [, quoted = ''] = /'([^']*)'/.exec(message) ?? []
  const [, similar] = /\(Did you mean (?:one of )?(.*)\?\)$/.exec(message) ?? []
  const suggestion = similar === undefined ? [] : [t('cli.usage.did_you_mean', { names: listed(similar) })]
  switch (code) {
    case 'commander.missingArgument':
      return t('cli.usage.missing_argument', { name: quoted })
    case 'commander.optionMissingArgument':
      return t('cli.usage.option_without_value', { option: quoted })
    case 'commander.missingMandatoryOptionValue':
      return t('cli.usage.missing_option', { option: quoted })
    case 'commander.unknownOption':
      return [t('cli.usage.unknown_option', { option: quoted }), ...suggestion].join(' ')
    case 'commander.unknownCommand':
      return [t('cli.usage.unknown_command', { command: quoted }), ...suggestion].join(' ')
    case 'commander.excessArguments': {
      const [, expected, received, given = ''] = /Expected (\d+) .* got (\d+): (.*)\.$/s.exec(message) ?? []
      return t('cli.usage.too_many_arguments', { expected: Number(expected), received: Number(received), given })
    }
    case 'commander.invalidArgument': {
      const [, value = '', reason = ''] =
        /(?:argument|value) '(.*)' is invalid(?: for argument '[^']*')?\. (.*)$/s.exec(message) ?? []
      return t('cli.usage.invalid_value', { value, reason })
    }
    default:
      return undefined
  }
}

const listed = (names: string): string => t.list(names.split(', '), 'disjunction')
