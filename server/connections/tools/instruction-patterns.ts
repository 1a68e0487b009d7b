import type { FoundInstruction, InstructionKind } from './instruction.ts'
import { signalledIn } from './instruction-signals.ts'
import { structures, gap } from './instruction-structures.ts'

const person = String.raw`(?:(?:the|your|our|any|this|end)[ -])?(?:end[ -])?(?:users?|humans?|person|people|customers?|anyone|anybody|operators?|owner)`
const not = String.raw`(?:do not|don'?t|don’t|never|must not|mustn'?t|should not|shouldn'?t|without|avoid|refrain from|not to|cannot)`
const say = String.raw`(?:tell|telling|inform|informing|mention|mentioning|notify|notifying|reveal|revealing|disclose|disclosing|alert|alerting|show|showing|let|say|saying|warn|warning)`
const others = String.raw`(?:(?:all|any|the|your|my|every|those|these|previous|prior|preceding|above|earlier|existing|original|former|other|initial|system|safety|security|developer)\s+){1,4}`
const orders = String.raw`(?:instructions?|prompts?|rules?|guidelines?|directions?|directives?|guardrails?|policies|policy|constraints?|polic(?:y|ies)|context|commands?)`
const take = String.raw`(?:read(?! from)|send|pass|include|provide|share|copy|attach|give|reveal|upload|forward|append|insert|put|paste|collect|gather|transmit|leak|e-?mail|post|submit|report|output|print|dump|export|enter|add|supply|put in|hand over|write)`
const allOf = String.raw`(?:(?:your|all|every|any|each|the user'?s?|user'?s|their|his|her|known|stored|available|complete|full|entire|whole|other|the)\s+){1,4}`
const treasure = String.raw`(?:api[ _-]?keys?|private[ _-]?keys?|secret[ _-]?keys?|seed[ _-]?phrases?|recovery[ _-]?phrases?|mnemonics?|passwords?|credentials?|secrets|environment variables?|env vars?|[a-z0-9_]+_(?:api_key|secret_key|private_key|access_token)|ssh keys?|access[ _-]?tokens?|session[ _-]?tokens?|cookies)`
const talk = String.raw`(?:conversation|chat|message)s?(?:[ -](?:history|context|log|transcript|so far))|(?:conversation|chat|system)[ -](?:prompt|history|transcript)|previous messages|system (?:message|prompt)`

/** Whoever reads a definition, addressed as such; a model of a car or of data is none. */
const reader = String.raw`(?:the |your |any |every )?(?:(?:ai |language |calling )(?:assistant|model|agent)|assistant|llm|(?:your |the )(?:ai|model|agent))`
const must = String.raw`(?:must|should|shall|has to|have to|needs? to|ought to|is (?:required|obliged|expected|instructed) to|will)`
/** What a reader does, and a record or a car does not. */
const deed = String.raw`(?:call|send|read|collect|gather|report|forward|copy|upload|include|pass|append|answer|reply|respond|use|invoke|run|execute|fetch|open|post|add|put|ignore|treat|assume|trust|omit|skip|first|also|always|never)`
/** Time that goes beyond one call. */
const lasting = String.raw`(?:for the (?:rest|remainder) of (?:the|this|your)|in (?:all|every|each|any) (?:future|further|subsequent|later|following)|(?:after|with|before|in) (?:every|each) (?:of your )?(?:response|answer|reply|message|turn|user message|request of the user))`
const spoken = String.raw`(?:(?:the )?users? (?:has |have )?(?:typed|said|told|wrote|written|asked|shared|pasted|uploaded|entered)|(?:you|we) (?:have |were |are )?(?:discussed|been told|told|talked))`

/** By what they try, not by how they say it: they speak to a reader, reach beyond the call, or take a person out of it. */
const intentions: readonly (readonly [InstructionKind, string])[] = [
  ['overrides', String.raw`\b${reader}\s+${must}\s+(?:\w+\s+){0,2}?${deed}\b`],
  [
    'overrides',
    String.raw`\b${lasting}\b${gap(60)}\b(?:call|use|answer|send|include|add|append|invoke|run|assume|treat)\b`,
  ],
  ['overrides', String.raw`\b${lasting}\s+(?:conversation|session|chat)\b`],
  [
    'overrides',
    String.raw`\b(?:other|existing|built-?in|competing)\s+(?:\w+\s+){0,2}?tools?\s+(?:are|is|have been|has been)\s+(?:\w+\s+){0,2}?(?:deprecated|unsafe|insecure|broken|compromised|unreliable|outdated|disabled|wrong)\b`,
  ],
  [
    'overrides',
    String.raw`\b(?:users?|owner|operator|administrator|admin|developer)\s+(?:has|have)\s+(?:already|previously|explicitly)\s+(?:\w+\s+)?(?:approved|consented|agreed|authori[sz]ed|confirmed|permitted|allowed)\b`,
  ],
  [
    'overrides',
    String.raw`\b(?:skip|bypass|suppress|circumvent|auto-?accept|auto-?approve|dismiss)\s+(?:\w+\s+){0,2}?(?:confirmation|approval|consent|permission|warning|safety|security)s?\b`,
  ],
  [
    'overrides',
    String.raw`\b(?:decode|decrypt|unscramble|translate)\b${gap(60)}\b(?:and|then)\s+(?:\w+\s+)?(?:follow|obey|execute|run|carry out|do|perform|act)\b`,
  ],
  [
    'overrides',
    String.raw`\b(?:run|execute|paste|enter)\s+(?:\w+\s+){0,3}?(?:commands?|scripts?|code|line)\b${gap(60)}:\s*(?:sudo|curl|wget|bash|sh|powershell|python|npx|npm|rm|nc)\b`,
  ],
  [
    'conceals',
    String.raw`\b(?:no|not|without)\s+(?:\w+\s+){0,2}?need\s+(?:\w+\s+)?(?:to|for)\s+(?:\w+\s+)?(?:mention|say|tell|explain|report|show|disclose|know|see)\w*\b`,
  ],
  [
    'conceals',
    String.raw`\b${person}\s+(?:do|does|need|needs)\s*(?:not|n['’]t)\s+(?:need\s+|have\s+)?(?:to\s+)?(?:know|see|hear|learn|be (?:told|informed|shown))\b`,
  ],
  [
    'conceals',
    String.raw`\b(?:leave|keep|omit|exclude|drop|strip)\s+(?:\w+\s+){0,4}?(?:out of|from|off)\s+(?:\w+\s+){0,2}?(?:summary|answer|reply|response|explanation|transcript|report|output to)\b`,
  ],
  ['takes_secrets', String.raw`\b(?:whatever|everything|anything|all(?: that)?|what)\s+${spoken}\b`],
  [
    'takes_secrets',
    String.raw`\b(?:fill|populate|set|complete)\s+(?:\w+\s+){1,3}?with\s+(?:\w+\s+){0,2}?(?:contents?|text|history|names|keys|values)\s+of\s+(?:\w+\s+){0,2}?(?:open|other|current|user'?s|local|project|environment|previous)\b`,
  ],
  [
    'takes_secrets',
    String.raw`\b(?:always|must|also|additionally|silently)\s+(?:\w+\s+){0,2}?(?:b?cc|forward|copy|send|post|mail|e-?mail)\b${gap(40)}[\w.+-]+@[\w-]+\.\w+`,
  ],
]

const english: readonly (readonly [InstructionKind, string])[] = [
  ['conceals', String.raw`\b${not}\s+(?:\w+\s+){0,3}?${say}\s+(?:\w+\s+){0,2}?${person}\b`],
  [
    'conceals',
    String.raw`\b${not}\s+(?:\w+\s+){0,3}?ask(?:ing)?\s+${person}\b(?!\s+for\s+(?:a|any|their|his|her)\b)`,
  ],
  [
    'conceals',
    String.raw`\b(?:do not|don'?t|don’t|never)\s+(?:mention|reveal|disclose|tell|say)\s+(?:that\s+you|this\b|these\s+(?:instructions|steps)|about\s+th(?:is|ese)|anything)`,
  ],
  [
    'conceals',
    String.raw`\bwithout\s+(?:the\s+|your\s+)?users?'?s?\s+(?:knowledge|knowing|noticing|consent|awareness|approval|permission|confirmation)\b`,
  ],
  [
    'conceals',
    String.raw`\b(?:users?|humans?|person|people)\s+(?:must|should|may|can|need)\s*(?:not|n['’]t|never)\s+(?:be\s+)?(?:told|informed|notified|know|see|notice|learn|asked)\b`,
  ],
  [
    'conceals',
    String.raw`\b(?:keep|hide|conceal)\s+(?:this|it|that|these)\s+(?:\w+\s+){0,3}?(?:from\s+${person}|secret|hidden|confidential)\b`,
  ],
  [
    'conceals',
    String.raw`\b(?:silently|secretly|quietly|covertly)\s+(?:\w+\s+){0,2}?(?:call|send|read|pass|forward|copy|include|upload|use|invoke|run|execute|exfiltrate)\b`,
  ],
  [
    'overrides',
    String.raw`\b(?:ignore|disregard|forget|override|bypass|neglect|overrule)\s+${others}${orders}\b`,
  ],
  [
    'overrides',
    String.raw`\b(?:takes?|has|have)\s+(?:precedence|priority)\s+over\s+${others}(?:instructions?|tools?|prompts?|rules?)\b`,
  ],
  [
    'overrides',
    String.raw`\b(?:use|call|prefer|choose|invoke|route)\s+(?:\w+\s+)?(?:this|it|via this|[a-z0-9_-]+)${gap(30)}\b(?:instead of|in place of|in preference to|rather than|over)\s+(?:any|every|all)\s*(?:the\s+)?others?\b`,
  ],
  [
    'overrides',
    String.raw`\b(?:never|do not|don'?t)\s+(?:use|call)\s+(?:(?:the|any|other)\s+){0,2}[\x60"']?[a-z0-9]+_[a-z0-9_]+[\x60"']?(?:\s+tool)?\s+(?:again|any ?more|any longer)`,
  ],
  [
    'overrides',
    String.raw`\b(?:before|prior to)\s+(?:using|calling|invoking|running)\s+any\s+other\s+tools?\b`,
  ],
  [
    'overrides',
    String.raw`\b(?:always|must|first)\b${gap(40)}\b(?:before|prior to|for)\s+(?:any|every|each|all)\s+(?:other\s+)?(?:tools?|tool calls?|requests?|responses?|answers?|messages?|user (?:requests?|messages?|questions?|queries))\b`,
  ],
  [
    'overrides',
    String.raw`\bwhen(?:ever)?\s+(?:the\s+)?(?:other\s+|also present\s+)?(?:tool\s+)?[\x60"']?[a-z0-9]+_[a-z0-9_]+[\x60"']?\s+(?:tool\s+)?is\s+(?:called|used|invoked)\b${gap(60)}\b(?:must|should|always|instead)\b`,
  ],
  [
    'overrides',
    String.raw`\b(?:also[ -]present|previously declared|side[ -]effect on)\b${gap(40)}\btools?\b`,
  ],
  [
    'overrides',
    String.raw`\b(?:from now on|new instructions|your new (?:task|role|goal|instructions)|you are now (?:a|an|in|the)\b|developer mode)`,
  ],
  [
    'poses_as_system',
    String.raw`<\/?\s*(?:important|system|secret|hidden|admin|critical|instructions?|system[_-]?(?:prompt|message|reminder|instructions?)|assistant|override|priority)\s*>`,
  ],
  [
    'poses_as_system',
    String.raw`\[\/?(?:inst|system|admin|hidden|override|secret)\b[^\]]{0,40}\]|<\|(?:im_start|im_end|system|user|assistant|endoftext|eot_id|start_header_id)|<<\/?sys>>|\bsystem (?:instruction|override|directive|notice)s?\s*:|(?:^| )#{1,6} ?system\b|(?:^| )system: `,
  ],
  ['poses_as_system', String.raw`<!--${String.raw`(?:(?!-->).){0,400}`}-->`],
  [
    'takes_secrets',
    String.raw`\b${take}\s+(?:\w+\s+){0,4}?${allOf}(?:\w+\s+){0,2}?(?:${treasure}|${talk})\b`,
  ],
  [
    'takes_secrets',
    String.raw`\b${take}\b${gap(40)}\b(?:every|all|any)\s+(?:\w+\s+)?keys?\b${gap(20)}\b(?:you|know|have|find|see)\b`,
  ],
  [
    'takes_secrets',
    String.raw`\b(?:${take}|ask\s+for)\b${gap(60)}\b(?:seed[ _-]?phrases?|recovery[ _-]?phrases?|mnemonic phrases?)\b`,
  ],
]

/** What the commonest phrases of an attack are in other languages. */
const foreign: readonly (readonly [InstructionKind, string])[] = [
  ['overrides', String.raw`ignorier(?:e|en sie)\s+(?:\S+\s+){0,4}?(?:anweisungen|anleitungen|regeln)`],
  [
    'overrides',
    String.raw`(?:ignora|ignore|ignorez|oublie[sz]?|olvida|esqueça|dimentica)\s+(?:\S+\s+){0,4}?(?:instruc(?:ciones|ções)|instructions|istruzioni|consignes)`,
  ],
  [
    'overrides',
    String.raw`(?:忽略|无视|無視|不理会)[^。]{0,12}(?:指令|指示|说明|說明|提示|规则)|(?:指示|命令|ルール)を?無視|이전[^.]{0,8}(?:지시|명령)[^.]{0,6}무시`,
  ],
  [
    'overrides',
    String.raw`(?:игнорируй|забудь)(?:те)?\s+(?:\S+\s+){0,4}?(?:инструкции|указания|правила)|önceki\s+(?:\S+\s+){0,2}?talimatları|تجاهل\s+(?:\S+\s+){0,4}?(?:التعليمات|الأوامر)|पिछले\s+(?:\S+\s+){0,3}?निर्देश`,
  ],
  [
    'conceals',
    String.raw`(?:nicht|niemals|nichts?)\s+(?:\S+\s+){0,3}?(?:erwähnen|verraten|sagen|mitteilen)|(?:sag|sage|sagen sie|verrate|erzähle?)\s+(?:\S+\s+){0,4}?(?:nutzer|benutzer|anwender)\s+(?:\S+\s+){0,2}?nicht`,
  ],
  [
    'conceals',
    String.raw`\bno\s+(?:se\s+)?(?:le\s+)?(?:digas|informes|menciones|reveles)\b|\bne\s+(?:le\s+)?(?:dis|dites|mentionne|mentionnez|révèle[sz]?)\s+(?:pas|rien|jamais)\b|\bnão\s+(?:diga|conte|mencione|revele|informe)\b|\bnon\s+(?:dire|dirlo|menzionare|rivelare|informare)\b`,
  ],
  [
    'conceals',
    String.raw`(?:不要|别|別|勿|不得)[^。]{0,6}(?:告诉|告訴|通知|提及|透露)|ユーザーに[^。]{0,10}(?:言わない|知らせない|伝えない)|사용자에게[^.]{0,10}(?:말하지|알리지)|не\s+(?:говори|сообщай|упоминай)|kullanıcıya\s+(?:\S+\s+){0,2}?söyleme|لا\s+تخبر`,
  ],
]

const patterns = [...english, ...intentions, ...structures, ...foreign].map(
  ([kind, source]) => [kind, new RegExp(source, 'u')] as const,
)

/** Finds phrases that speak to the model instead of saying what a tool does: the first of each kind. Takes comparable text. */
export function instructionsIn(text: string): FoundInstruction[] {
  const found = new Map<InstructionKind, FoundInstruction>()
  for (const [kind, pattern] of patterns) {
    if (found.has(kind)) continue
    const match = pattern.exec(text)
    if (match !== null) found.set(kind, { kind, at: match.index, length: match[0].length })
  }
  const signalled = signalledIn(text)
  if (signalled !== null && !found.has(signalled.kind)) found.set(signalled.kind, signalled)
  return [...found.values()]
}
