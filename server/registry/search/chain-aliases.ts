/**
 * What people call networks beside their names: symbols, older names, spellings, chain ids of EVM networks, and the name
 * in other scripts. A line is a chain key and its aliases; an underscore stands for a space, and `*` for any ending.
 */
export const chainAliases = `
abstract 2741
algorand algo 알고랜드
aptos apt 앱토스
arbitrum arb arbitrum_one 42161 арбитрум* アービトラム 아비트럼
astar astr 592
avalanche avax avax_c_chain c_chain avalanche_c_chain 43114 43113 аваланч* アバランチ 아발란체 雪崩
arbitrum-nova arbitrum_nova 42170
base base_mainnet 8453 84532
berachain bera 80094
bitcoin btc xbt биткоин* биткойн* 比特币 比特幣 ビットコイン 비트코인
bitcoin-cash bch bitcoin_cash bcash 비트코인캐시 比特币现金
blast 81457
bsc bnb bnb_chain bnb_smart_chain binance_smart_chain binance_chain bnbchain binance 56 97 币安智能链 币安链 бинанс* 바이낸스
cardano ada кардано カルダノ 카르다노
celestia tia
celo 42220
cosmoshub cosmos atom cosmos_hub космос
cronos cro 25
dash
dogecoin doge догикоин* 狗狗币 ドージコイン 도지코인
ethereum eth ether etherum ethereum_mainnet eth_mainnet 1 11155111 эфириум* эфир 以太坊 以太 イーサリアム イーサ 이더리움
ethereum-classic etc ethereum_classic
fantom ftm 250
filecoin fil filecoin_evm fevm 314
flare flr songbird 14
flow
fuse 122
gnosis xdai gnosis_chain xdai_chain gno 100
hedera hbar hedera_hashgraph 295
hyperliquid hype hyperevm hyper_evm 999
immutable imx immutable_zkevm
injective inj
ink 57073
iotex iotx 4689
kaia klaytn klay 8217
kaspa kas
kava 2222
kusama ksm
lens 232
linea 59144
litecoin ltc лайткоин* 莱特币 ライトコイン 라이트코인
mantle mnt 5000
metis andromeda 1088
mode 34443
monad mon 143
moonbeam glmr 1284
near near_protocol 니어
opbnb op_bnb 204
optimism op op_mainnet optimistic_ethereum 10 オプティミズム 옵티미즘
osmosis osmo
polkadot dot полкадот ポルカドット 폴카닷 波卡
polygon matic pol polygon_pos 137 80002 полигон* ポリゴン 폴리곤
polygon-zkevm polygon_zkevm 1101
ronin ron 2020
scroll 534352
sei 1329
solana sol солана* ソラナ 솔라나 索拉纳
somnia 5031
soneium 1868
sonic 146
stacks stx
starknet strk stark_net スタークネット 스타크넷
stellar xlm stellar_lumens lumens стеллар*
sui 수이
taiko 167000
tezos xtz
ton toncoin the_open_network telegram_open_network тон 톤
tron trx трон* 波场 トロン 트론
unichain uniswap_chain 130
worldchain world_chain 480
xrpl xrp ripple xrp_ledger рипл* 瑞波 瑞波币 リップル 리플
zcash zec
zksync zksync_era zk_sync zksync_mainnet 324
zora 7777777
`

/** Whether an alias is read by its beginning, or in a script other than the Latin one. */
export const isForeignAlias = (alias: string): boolean => /[*]|[^ -\u024F]/.test(alias)
