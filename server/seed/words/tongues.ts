/** Other scripts and languages, to exercise search and layout. */

export const chinese = {
  sentences: `
    在{zhPlace}，{zhPerson}每天{zhAct}{zhThing}。
    {zhThing}不是{zhThing}，而是{zhThing}。
    {zhTime}，{zhPerson}开始{zhAct}{zhThing}，因为{zhThing}太{zhAdj}了。
    没有{zhThing}，就没有{zhThing}。
    我们为什么要{zhAct}{zhThing}？
    {zhPerson}说：“{zhThing}很{zhAdj}，可是{zhThing}更{zhAdj}。”
    {zhTime}我在{zhPlace}看见一位{zhPerson}，他正在{zhAct}{zhThing}。
    如果{zhThing}不{zhAdj}，{zhPerson}就不会{zhAct}它。
    每一个{zhPerson}都需要{zhThing}和{zhThing}。
    {zhPlace}的{zhThing}比{zhPlace}的{zhThing}{zhAdj}得多。
    从{zhPlace}到{zhPlace}，大家都在谈论{zhThing}。
    学会{zhAct}{zhThing}，需要很长的时间。`,
  words: {
    zhThing: `时间 问题 办法 生活 工作 故事 语言 城市 价格 经验 机会 习惯 记忆 书 信 茶 河流 桥 房子 花园 票 钟 地图 厨房 面包
      声音 光 影子 梦 心 责任 自由 信任 耐心 知识 历史 文化 艺术 音乐 电影 照片 小说 诗 法律 选举 税 工资 房租 债务 市场 产品
      代码 数据库 软件 机器 电话 邮件 窗户 门 桌子 椅子 灯 雨 雪 风 山 海 树 种子 土地 水 火 食物 米饭 汤 友谊 孤独 睡眠 健康
      教育 规则 计划 错误 答案 变化 未来 过去`,
    zhPerson: `老师 学生 作家 编辑 医生 护士 农民 工人 司机 邻居 朋友 母亲 父亲 孩子 奶奶 客人 木匠 面包师 工程师 设计师 记者
      读者 市长 法官 旅客 诗人 歌手 老板 顾客 志愿者`,
    zhPlace: `北京 上海 成都 杭州 台北 香港 广州 西安 图书馆 学校 医院 车站 市场 村子 工厂 办公室 公园 博物馆 咖啡馆 邮局 海边
      山上 河边 小镇 书店`,
    zhAct: `学习 寻找 修理 讨论 记录 保护 改变 理解 翻译 阅读 写 画 买 卖 收集 忘记 相信 怀疑 分享 准备 测量 观察 打开 关上
      等待 选择 介绍 建造 照顾 放弃`,
    zhAdj:
      '重要 简单 困难 安静 漂亮 便宜 贵 慢 快 大 小 新 旧 清楚 复杂 危险 安全 有用 温暖 寒冷 诚实 普通 特别 古老 年轻',
    zhTime: '去年 今年 昨天 那天早上 春天 夏天 秋天 冬天 三年前 十年前 后来 有一天 周末 晚上 下午',
  },
}

export const japanese = {
  sentences: `
    {jaPlace}で、{jaPerson}は{jaThing}を{jaAct}。
    {jaThing}は{jaThing}ではなく、{jaThing}である。
    {jaTime}、{jaPerson}が{jaThing}を{jaAct}のを見た。
    なぜ私たちは{jaThing}を{jaAct}のだろうか。
    「{jaThing}は{jaAdj}」と{jaPerson}は言った。
    {jaThing}がなければ、{jaThing}もない。
    {jaTime}から、{jaPlace}の{jaThing}はとても{jaAdj}。
    {jaAdj}{jaThing}と{jaAdj}{jaThing}の間には、いつも{jaThing}がある。
    {jaPerson}にとって、{jaThing}を{jaAct}ことは生きることだ。
    {jaPlace}へ行くと、{jaPerson}たちが{jaThing}について話している。`,
  words: {
    jaThing: `時間 言葉 物語 手紙 窓 本 駅 橋 海 山 川 町 庭 雨 雪 風 光 影 夢 心 記憶 約束 仕事 値段 家賃 税金 選挙 法律 地図 時計 写真
      映画 音楽 歌 詩 料理 パン お茶 ご飯 野菜 種 土 水 火 道具 機械 コード データベース ソフトウェア インターネット 電話 メール
      友情 孤独 眠り 健康 教育 規則 計画 失敗 答え 変化 未来 過去 自由 信頼 忍耐 知識 歴史 文化 習慣 椅子 机 扉 鍵 切符 新聞`,
    jaPerson: `先生 学生 作家 編集者 医者 看護師 農家 大工 運転手 隣人 友人 母 父 子ども 祖母 客 パン屋 技術者 記者 読者 市長 旅人 詩人
      歌手 店主 司書 写真家`,
    jaPlace:
      '東京 京都 大阪 札幌 福岡 長崎 図書館 学校 病院 市場 村 工場 公園 美術館 喫茶店 郵便局 海辺 本屋 台所 商店街',
    jaAct: `読む 書く 作る 直す 探す 守る 変える 学ぶ 教える 待つ 忘れる 覚える 信じる 疑う 分ける 売る 買う 集める 描く 測る 開ける
      閉める 選ぶ 育てる 運ぶ`,
    jaAdj:
      '美しい 静かな 新しい 古い 小さな 大きな 難しい 優しい 安い 高い 長い 短い 暖かい 寒い 正しい 深い 遠い 近い 懐かしい',
    jaTime: '去年 昨日 今朝 春 夏の夜 秋 冬の朝 三年前 十年前 ある日 週末 夕方 子どものころ',
  },
}

/** Nouns include their article; the sentences avoid prepositions that would contract with it. */
export const european = {
  french: `
    Comme on dit à {city}, {fr} n'est rien sans {fr}.
    {fr} a changé, et {fr} avec.
    Déjà en {year}, on préférait {fr}, même si {fr} coûtait plus cher.
    Où était donc {fr}, et pourquoi {fr} ?
    « Gardez {fr}, répétait ma grand-mère, et jetez {fr}. »`,
  german: `
    Ohne {de} wäre {de} nur die Hälfte wert, heißt es in {city}.
    Für {de} braucht man Geduld, für {de} übrigens auch.
    Schon {year} fragte man sich, ob {de} größer sei als {de}.
    Später verstand ich: {de} ist nicht {de}.
    Wer {de} hört, müsste eigentlich auch {de} kennen.`,
  spanish: `
    Sin {es} no hay mañana, decía mi tía, y sin {es} tampoco.
    En {city}, hacia {year}, {es} era más importante que {es}.
    ¿Quién se llevó {es}? ¿Y por qué dejó {es}?
    Aún hoy, {es} está allí, junto con {es}.
    Aprendí tarde que {es} también es {es}.`,
  nouns: {
    fr: `la maison, le marché, l'été, la forêt, le café, la mémoire, l'école, le théâtre, la lumière, la fenêtre,
      le fleuve, la société, l'amitié, le métier, la liberté, le dîner, la bibliothèque, l'idée, la poésie, le
      goût, la vérité, le père, la mère, le village, l'élection, la monnaie, le prêt, l'impôt, la santé, le
      sommeil, la clé, le réseau`,
    de: `die Straße, das Gedächtnis, die Bücherei, die Tür, das Fräulein, die Brücke, das Gemüse, die Wärme, die
      Größe, das Gefühl, die Küche, das Mädchen, die Höhe, die Müdigkeit, das Städtchen, die Übung, die Zeitung,
      das Geld, die Wahl, die Miete, die Freundschaft, das Haus, die Sprache, die Behörde, das Brötchen, die
      Führung, die Prüfung, das Glück`,
    es: `la canción, el corazón, la montaña, el río, la educación, la niñez, el árbol, la razón, el café, la
      política, el pájaro, la opinión, la película, el teléfono, la música, el jardín, la memoria, la lección, el
      país, la razón, la panadería, el autobús, la mañana, el año, la deuda, la elección, el sueño, la amistad, el
      público, la técnica`,
  },
}
