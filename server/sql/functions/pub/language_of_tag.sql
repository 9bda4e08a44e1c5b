set local role svc_owner;

-- The part of pub.language_of for every other tag.
create or replace function pub.language_of_tag(p_locale text) returns text
  language plpgsql immutable strict parallel safe
  set search_path = pg_catalog, pg_temp
  as $$
declare
  tag      text := lower(replace(btrim(p_locale), '_', '-') collate "C");
  language text := split_part(tag, '-', 1);
  region   text;
  variants text;
  variant  text;
  rest     text;
  -- What was renamed. Sign languages were named by a region, a few languages by a variant.
  renamed  constant jsonb := jsonb '{
    "aa-saaho":"ssy", "aam":"aas", "aar":"aa", "abk":"ab", "adp":"dz", "afr":"af", "agp":"apf", "ais":"ami",
    "ajp":"apc", "ajt":"aeb", "aju":"jrb", "aka":"ak", "alb":"sq", "als":"sq", "amh":"am", "ara":"ar", "arb":"ar",
    "arg":"an", "arm":"hy", "art-lojban":"jbo", "asd":"snz", "asm":"as", "aue":"ktz", "ava":"av", "ave":"ae",
    "aym":"ay", "ayr":"ay", "ayx":"nun", "aze":"az", "azj":"az", "bak":"ba", "bam":"bm", "baq":"eu", "baz":"nvo",
    "bcc":"bal", "bcl":"bik", "bel":"be", "ben":"bn", "bgm":"bcg", "bhk":"fbl", "bic":"bir", "bih":"bho", "bis":"bi",
    "bjd":"drl", "bjq":"bzc", "bkb":"ebk", "blg":"iba", "bod":"bo", "bos":"bs", "bre":"br", "btb":"beb", "bul":"bg",
    "bur":"my", "bxk":"luy", "bxr":"bua", "cat":"ca", "ccq":"rki", "cel-gaulish":"xtg", "ces":"cs", "cha":"ch",
    "che":"ce", "chi":"zh", "chu":"cu", "chv":"cv", "cjr":"mom", "cka":"cmr", "cld":"syr", "cls":"sa", "cmk":"xch",
    "cmn":"zh", "cnr":"sr", "cor":"kw", "cos":"co", "coy":"pij", "cqu":"quh", "cre":"cr", "cwd":"cr", "cym":"cy",
    "cze":"cs", "daf":"dnj", "dan":"da", "dap":"njz", "dek":"sqm", "deu":"de", "dgo":"doi", "dhd":"mwr", "dik":"din",
    "diq":"zza", "dit":"dif", "div":"dv", "djl":"dze", "dkl":"aqd", "drh":"mn", "drr":"kzk", "drw":"fa", "dud":"uth",
    "duj":"dwu", "dut":"nl", "dwl":"dbt", "dzo":"dz", "ekk":"et", "ell":"el", "elp":"amq", "emk":"man", "eng":"en",
    "epo":"eo", "esk":"ik", "est":"et", "eus":"eu", "ewe":"ee", "fao":"fo", "fas":"fa", "fat":"ak", "fij":"fj",
    "fin":"fi", "fra":"fr", "fre":"fr", "fry":"fy", "fuc":"ff", "ful":"ff", "gav":"dev", "gaz":"om", "gbc":"wny",
    "gbo":"grb", "geo":"ka", "ger":"de", "gfx":"vaj", "ggn":"gvr", "ggo":"esg", "ggr":"gtu", "gio":"aou", "gla":"gd",
    "gle":"ga", "glg":"gl", "gli":"kzk", "glv":"gv", "gno":"gon", "gom":"kok", "gre":"el", "grn":"gn", "gti":"nyc",
    "gug":"gn", "guj":"gu", "guv":"duz", "gya":"gba", "hat":"ht", "hau":"ha", "hbs":"sr", "hdn":"hai", "hea":"hmn",
    "heb":"he", "her":"hz", "him":"srx", "hin":"hi", "hmo":"ho", "hrr":"jal", "hrv":"hr", "hun":"hu",
    "hy-arevmda":"hyw", "hye":"hy", "ibi":"opa", "ibo":"ig", "ice":"is", "ido":"io", "iii":"ii", "ike":"iu",
    "iku":"iu", "ile":"ie", "ill":"ilm", "ilw":"gal", "in":"id", "ina":"ia", "ind":"id", "ipk":"ik", "isl":"is",
    "ita":"it", "iw":"he", "izi":"eza", "jar":"jgk", "jav":"jv", "jaw":"jv", "jeg":"oyb", "ji":"yi", "jpn":"ja",
    "jw":"jv", "kal":"kl", "kan":"kn", "kas":"ks", "kat":"ka", "kau":"kr", "kaz":"kk", "kdv":"zkd", "kgc":"tdf",
    "kgd":"ncq", "kgh":"kml", "kgm":"plu", "khk":"mn", "khm":"km", "kik":"ki", "kin":"rw", "kir":"ky", "kmr":"ku",
    "knc":"kr", "kng":"kg", "koj":"kwv", "kom":"kv", "kon":"kg", "kor":"ko", "kpp":"jkm", "kpv":"kv", "krm":"bmf",
    "ktr":"dtp", "kua":"kj", "kur":"ku", "kvs":"gdj", "kwq":"yam", "kxe":"tvd", "kxl":"kru", "kzh":"dgl", "kzj":"dtp",
    "kzt":"dtp", "lak":"ksp", "lao":"lo", "lat":"la", "lav":"lv", "lbk":"bnc", "leg":"enl", "lii":"raq", "lim":"li",
    "lin":"ln", "lit":"lt", "llo":"ngt", "lmm":"rmx", "ltz":"lb", "lub":"lu", "lug":"lg", "lvs":"lv", "mac":"mk",
    "mah":"mh", "mal":"ml", "mao":"mi", "mar":"mr", "may":"ms", "meg":"cir", "mgx":"jbk", "mhr":"chm", "mkd":"mk",
    "mlg":"mg", "mlt":"mt", "mnt":"wnn", "mo":"ro", "mof":"xnt", "mol":"ro", "mon":"mn", "mri":"mi", "msa":"ms",
    "mst":"mry", "mup":"raj", "mwd":"dmw", "mwj":"vaj", "mya":"my", "myd":"aog", "myt":"mry", "nad":"xny", "nau":"na",
    "nav":"nv", "nbf":"nru", "nbl":"nr", "nbx":"gll", "ncp":"kdz", "nde":"nd", "ndo":"ng", "nep":"ne", "nld":"nl",
    "nln":"azd", "nlr":"nrk", "nno":"nn", "nns":"nbr", "nnx":"ngv", "nob":"nb", "nom":"cbr", "noo":"dtd", "nor":"no",
    "npi":"ne", "nte":"eko", "nts":"pij", "nxu":"bpp", "nya":"ny", "oci":"oc", "ojg":"oj", "oji":"oj", "ori":"or",
    "orm":"om", "ory":"or", "oss":"os", "oun":"vaj", "pan":"pa", "pat":"kxr", "pbu":"ps", "pcr":"adx", "per":"fa",
    "pes":"fa", "pli":"pi", "plt":"mg", "pmc":"huw", "pmk":"crr", "pmu":"phr", "pnb":"lah", "pol":"pl", "por":"pt",
    "ppa":"bfy", "ppr":"lcq", "prp":"gu", "prs":"fa", "pry":"prt", "pus":"ps", "puz":"pub", "que":"qu", "quz":"qu",
    "rmr":"emx", "rmy":"rom", "roh":"rm", "ron":"ro", "rum":"ro", "run":"rn", "rus":"ru", "sag":"sg", "san":"sa",
    "sap":"aqt", "sca":"hle", "scc":"sr", "scr":"hr", "sgl":"isk", "sgn-076":"bzs", "sgn-170":"csn", "sgn-208":"dsl",
    "sgn-249":"fsl", "sgn-250":"fsl", "sgn-276":"gsg", "sgn-278":"gsg", "sgn-280":"gsg", "sgn-300":"gss",
    "sgn-372":"isg", "sgn-380":"ise", "sgn-392":"jsl", "sgn-484":"mfs", "sgn-528":"dse", "sgn-558":"ncs",
    "sgn-578":"nsi", "sgn-620":"psr", "sgn-710":"sfs", "sgn-724":"ssp", "sgn-752":"swl", "sgn-826":"bfi",
    "sgn-840":"ase", "sgn-br":"bzs", "sgn-co":"csn", "sgn-dd":"gsg", "sgn-de":"gsg", "sgn-dk":"dsl", "sgn-es":"ssp",
    "sgn-fr":"fsl", "sgn-fx":"fsl", "sgn-gb":"bfi", "sgn-gr":"gss", "sgn-ie":"isg", "sgn-it":"ise", "sgn-jp":"jsl",
    "sgn-mx":"mfs", "sgn-ni":"ncs", "sgn-nl":"dse", "sgn-no":"nsl", "sgn-pt":"psr", "sgn-se":"swl", "sgn-uk":"bfi",
    "sgn-us":"ase", "sgn-za":"sfs", "sh":"sr", "sin":"si", "skk":"oyb", "slk":"sk", "slo":"sk", "slv":"sl",
    "smd":"kmb", "sme":"se", "smo":"sm", "sna":"sn", "snb":"iba", "snd":"sd", "som":"so", "sot":"st", "spa":"es",
    "spy":"kln", "sqi":"sq", "src":"sc", "srd":"sc", "srp":"sr", "ssw":"ss", "sul":"sgd", "sum":"ulw", "sun":"su",
    "swa":"sw", "swc":"sw", "swe":"sv", "swh":"sw", "szd":"umi", "tah":"ty", "tam":"ta", "tat":"tt", "tdu":"dtp",
    "tel":"te", "tgg":"bjp", "tgk":"tg", "tgl":"fil", "tha":"th", "thc":"tpo", "thw":"ola", "thx":"oyb", "tib":"bo",
    "tid":"itd", "tie":"ras", "tir":"ti", "tkk":"twm", "tl":"fil", "tlw":"weo", "tmk":"tdg", "tmp":"tyj", "tne":"kak",
    "tnf":"fa", "ton":"to", "tpw":"tpn", "tsf":"taj", "tsn":"tn", "tso":"ts", "ttq":"tmh", "tuk":"tk", "tur":"tr",
    "twi":"ak", "uig":"ug", "ukr":"uk", "umu":"del", "unp":"wro", "uok":"ema", "urd":"ur", "uzb":"uz", "uzn":"uz",
    "ven":"ve", "vie":"vi", "vol":"vo", "wel":"cy", "wgw":"wgb", "wit":"nol", "wiw":"nwo", "wln":"wa", "wol":"wo",
    "xba":"cax", "xho":"xh", "xia":"acn", "xkh":"waw", "xpe":"kpe", "xrq":"dmw", "xsj":"suj", "xsl":"den",
    "xss":"zko", "ybd":"rki", "ydd":"yi", "yen":"ynq", "yid":"yi", "yiy":"yrm", "yma":"lrr", "ymt":"mtm", "yor":"yo",
    "yos":"zom", "yuu":"yug", "zai":"zap", "zh-hakka":"hak", "zh-xiang":"hsn", "zha":"za", "zho":"zh", "zir":"scv",
    "zkb":"kjh", "zsm":"ms", "zul":"zu", "zyb":"za"
  }';
begin
  if tag ~ '^[a-z]{2,3}(-[a-z]{2})?$' then
    region := split_part(tag, '-', 2);
  else
    -- Language, script, region and variants; the extensions u, t and others; private use.
    select part[1], part[2], part[3] into region, variants, rest
      from regexp_match(tag, '^(?:[a-z]{2,3}|[a-z]{5,8})(?:-[a-z]{4})?(?:-([a-z]{2}|[0-9]{3}))?'
        '((?:-(?:[a-z0-9]{5,8}|[0-9][a-z0-9]{3}))*)'
        '((?:-u(?:(?:-[a-z0-9]{3,8})+(?:-[a-z0-9][a-z](?:-[a-z0-9]{3,8})*)*|(?:-[a-z0-9][a-z](?:-[a-z0-9]{3,8})*)+)'
        '|-t(?:-(?:[a-z]{2,3}|[a-z]{5,8})(?:-[a-z]{4})?(?:-(?:[a-z]{2}|[0-9]{3}))?(?:-(?:[a-z0-9]{5,8}|[0-9][a-z0-9]{3}))*'
        '(?:-[a-z][0-9](?:-[a-z0-9]{3,8})+)*|(?:-[a-z][0-9](?:-[a-z0-9]{3,8})+)+)'
        '|-[0-9a-svwyz](?:-[a-z0-9]{2,8})+)*)(?:-x(?:-[a-z0-9]{1,8})+)?$') as part;
    -- No variant and no extension twice.
    if variants is null or length(tag) > 100
      or variants ~ '(-[a-z0-9]+)(-[a-z0-9]+)*\1(-|$)'
      or rest ~ '-([a-z0-9])-(.*-)?\1-'
      or rest ~ ('-t-[a-z]{2,8}(-[a-z]{2,8}|-[0-9]{3}|-[a-z0-9]{5,8}|-[0-9][a-z0-9]{3})*'
                 '(-[a-z0-9]{5,8}|-[0-9][a-z0-9]{3})(-[a-z0-9]{4,8})*\2(-|$)')
    then
      return 'und';
    end if;
    foreach variant in array string_to_array(substr(variants, 2), '-') loop
      if renamed ? (language || '-' || variant) then
        return renamed ->> (language || '-' || variant);
      end if;
    end loop;
  end if;
  return coalesce(renamed ->> (language || '-' || region), renamed ->> language, language);
end
$$;

revoke all on function pub.language_of_tag(text) from public;
grant execute on function pub.language_of_tag(text) to svc_public, svc_desk, svc_publisher, svc_worker;
