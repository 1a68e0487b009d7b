/**
 * The commonest words of questions in ten languages beside English (Spanish, Portuguese, French, German, Italian, Russian,
 * Chinese, Japanese, Korean, Turkish). A line is what they mean, then the words; an underscore stands for a space, and `*`
 * for any ending. `-` means that a word is passed over.
 */
export const foreignWords = `
free: gratis gratuit* gratuito gratuita kostenlos* gratuiti бесплатн* 免费 免費 無料 무료 ucretsiz bedava
cheapest: mas_barato mas_barata mais_barato le_moins_cher moins_cher gunstigst* billigst* piu_economico самый_дешевый самая_дешевая 最便宜 最安 最も安い 가장_저렴한 en_ucuz дешев*
cheap: barato barata baratos bon_marche pas_cher gunstig* billig* economico economica 便宜 安い 저렴한 ucuz
no key: sin_clave sin_llave sin_api_key sem_chave sans_cle ohne_schlussel ohne_api_key ohne_key senza_chiave без_ключа 无需密钥 无密钥 不需要密钥 キー不要 キーなし 키_없이 키없이 anahtarsiz
no login: sin_registro sem_registro sem_cadastro sans_inscription ohne_anmeldung ohne_registrierung senza_registrazione без_регистрации 无需注册 免注册 登録不要 가입_없이 회원가입_없이 kayitsiz
key: clave llave chave cle schlussel chiave ключ* 密钥 キー 키 anahtar*
node: nodo nodos no_rpc noeud noeuds knoten nodi нод* узел узлы 节点 節點 ノード 노드* dugum*
endpoint: punto_de_acceso ponto_de_acesso point_d_acces endpunkt* эндпоинт* 端点 接口 エンドポイント 엔드포인트 uc_nokta*
provider: proveedor* provedor* fournisseur* anbieter fornitore fornitori провайдер* поставщик* 提供商 供应商 プロバイダー プロバイダ 제공업체 제공자 saglayici*
wallet: billetera* monedero* cartera* carteira* portefeuille* geldborse* brieftasche* portafoglio portafogli кошел* 钱包 錢包 ウォレット 지갑* cuzdan*
block explorer: explorador_de_bloques explorador_de_blocos explorador* explorateur_de_blocs explorateur* blockexplorer* esploratore_di_blocchi esploratore* обозреватель_блоков обозреватель* эксплорер* 区块浏览器 区块链浏览器 浏览器 エクスプローラー ブロックエクスプローラー 탐색기 블록_탐색기 블록탐색기 익스플로러 gezgin* blok_gezgini
bridge: puente* ponte pont passerelle brucke* мост* 跨链桥 桥 跨链 ブリッジ 브리지* 브릿지* kopru*
oracle: oraculo* orakel oracolo оракул* 预言机 オラクル 오라클* kahin
price: precio* preco* prix preis* prezzo prezzi цена цены цен 价格 価格 가격* fiyat*
faucet: grifo torneira robinet wasserhahn rubinetto кран* 水龙头 フォーセット 蛇口 포셋 수도꼭지 musluk
test network: red_de_prueba* red_de_pruebas rede_de_teste reseau_de_test testnetz* rete_di_prova тестов* тестнет* 测试网 測試網 テストネット 테스트넷* test_agi
mainnet: red_principal rede_principal reseau_principal hauptnetz* rete_principale мейннет* 主网 メインネット 메인넷* ana_ag
library: biblioteca* librairie bibliotheque* bibliothek* libreria librerie библиотек* 库 开发库 ライブラリ 라이브러리* kutuphane*
developer: desarrollador* desenvolvedor* developpeur* entwickler* sviluppatore sviluppatori разработчик* 开发者 開発者 개발자* gelistirici*
tool: herramienta* ferramenta* outil* werkzeug* strumento strumenti инструмент* 工具 ツール 도구* arac*
server: servidor* serveur* server_fur сервер* 服务器 サーバー サーバ 서버* sunucu*
service: servicio* servico* dienst* servizio servizi сервис* услуг* 服务 サービス 서비스* hizmet*
security: seguridad seguranca securite sicherheit* sicurezza безопасност* 安全 セキュリティ 보안* guvenlik*
audit: auditoria* prufung* аудит* 审计 監査 감사* denetim*
smart contract: contrato_inteligente contratos_inteligentes contrat_intelligent contrats_intelligents intelligenter_vertrag contratto_intelligente смарт_контракт* 智能合约 スマートコントラクト 스마트_컨트랙트* akilli_sozlesme*
transaction: transaccion* transacao transacoes transaktion* transazione transazioni транзакц* 交易 取引 トランザクション 거래* 트랜잭션* islem*
block: bloque* bloco* bloc blocs blocchi blocco блок* 区块 ブロック 블록* blok*
token: tokens токен* 代币 トークン 토큰* jeton*
balance: saldo* solde* guthaben баланс* 余额 残高 잔액* bakiye*
buy crypto: comprar_cripto* comprar comprar_criptomonedas acheter* kaufen comprare купить 购买 买币 購入 買う 구매* satin_al*
sell crypto: vender vendre verkaufen vendere продать 出售 卖币 売る 판매* satmak
card: tarjeta* cartao* carte carte_bancaire karte kreditkarte* carta карт* 信用卡 银行卡 クレジットカード カード 카드* kart* kredi_karti*
payment: pago* pagamento* paiement* zahlung* pagamenti оплат* платеж* 支付 付款 決済 支払い 결제* odeme*
swap: intercambio* intercambiar troca trocar echange echanger tausch* scambio scambiare обмен* 兑换 交换 スワップ 交換 스왑* 교환* takas*
exchange: casa_de_cambio corretora bourse borse бирж* 交易所 取引所 거래소* borsa*
storage: almacenamiento armazenamento stockage speicher* archiviazione хранилищ* 存储 ストレージ 저장소* 스토리지* depolama*
archive: archivo* arquivo* archiv* archivio архив* 归档 存档 アーカイブ 아카이브* arsiv*
analytics: analisis analise* analyse* analisi аналитик* 分析 数据分析 アナリティクス 분석* analiz*
data: datos dados donnees daten dati данны* 数据 データ 데이터* veri verileri
documentation: documentacion documentacao dokumentation* documentazione документаци* 文档 ドキュメント 문서* belge* dokuman*
open source: codigo_abierto codigo_aberto quelloffen* codice_aperto открыт*_код* 开源 オープンソース 오픈소스* acik_kaynak*
mobile: movil celular mobil* cellulare мобильн* 手机 移动 モバイル スマホ 모바일* mobil
public: publico publica publicos offentlich* pubblico pubblica публичн* общедоступн* 公共 公開 公开 공개* herkese_acik
fastest: mas_rapido mais_rapido le_plus_rapide schnellst* piu_veloce самый_быстрый 最快 最速 가장_빠른 en_hizli rapido rapide schnell* veloce быстр* 快速 高速 빠른 hizli
reliable: fiable confiavel zuverlassig* affidabile надежн* 可靠 信頼できる 안정적인 guvenilir
network: red rede reseau netz* rete сеть сети 网络 网路 ネットワーク 네트워크* ag
blockchain: cadena_de_bloques blockchain_de блокчейн* 区块链 ブロックチェーン 블록체인* blok_zinciri
random number: numero_aleatorio nombre_aleatoire zufallszahl* numero_casuale случайн* 随机数 乱数 난수* rastgele_sayi
hardware wallet: billetera_fria carteira_fria hardware_wallet* аппаратный_кошел* 硬件钱包 ハードウェアウォレット 하드웨어_지갑* donanim_cuzdan*
websocket: веб_сокет* вебсокет* 웹소켓*
-: para por con sin de del la el los las un una y en que cual cuales es mi necesito quiero buscar busco mejor mejores como donde hay se com sem do da dos das os um uma e em qual preciso quero melhor melhores onde pour avec sans le les des du et dans quel quelle je besoin cherche meilleur meilleure ou est fur mit ohne der die das ein eine einen einer und in im welche welcher ich brauche suche beste bester wo ist zum zur per il lo gli i uno con senza quale miglior migliore dove cerco mi serve для с без и в на какой какая какие мне нужен нужна нужно лучший лучшая где найти 的 和 在 哪个 哪里 最好 什么 我 需要 用 有 の を に は で が と から も 最高 どこ 欲しい おすすめ 를 을 은 는 이 가 의 에 에서 추천 최고 어디 필요 위한 icin ile ve bir en iyi nerede hangi lazim
`
