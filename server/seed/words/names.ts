/** No given name holds a space or a hyphen, so that a slug splits in one way only. In places `_` stands for a space. */

export const givenNames = `
  Zoë Łukasz Amara Tomás Ingrid Kwame Maren Yusuf Beatriz Henrik Noor Esther Matteo Chidi Solveig Priya Callum Leïla
  Otto Hana Rafael Saoirse Dmitri Élodie Kofi Marta Søren Aisha Jules Nadia Bram Ximena Tariq Agnes Luca Wanjiru
  Frida Emre Colette Idris Petra Jorge Mei Anselm Ruta Femi Clara Björn Lucía Samir Dorothea Akira Greta Pablo Imani
  Viktor Sunniva Omar Delphine Kenji Rosa Ewan Fatima Gustav Naomi André Thandiwe Ivo Margot Rohan Siobhan Elio
  Katarzyna Hamid Linnea Teodor Ayşe Felix Paloma Stefan Adaeze Milan Judith Nuno Freya Karim Helena Dae Bronwen
  Mateus Inès Piotr Salma Anton Yuki Cecilia Jamal Astrid Raúl Oluwaseun Vera Emil Shirin Conor Jana Dario Ngozi
  Ludovic Tamsin Arjun Marisol Eskil Rebecca Goran Nilufar Hugo Alba Mirek Zanele Pascal Ottilie Ravi Carmen Lars
  Mina Desmond Eleni Bilal Sigrid Joaquín Hyun Philippa Andrei Leticia Moses Camille Rasmus Farah Gareth Irena
  Sanjay Valentina Tobias Abena Marek Daphne Ismael Odile Nikolai Catarina Haruto Winifred Simón Edith Rune Parisa
  Benoît Gwen Alejandro Sade Florian Meera Oisín Renata Kaito Tessa Vasco Aino Malik Harriet Luís Dunja Ade
  Josephine Timo Rania Hector Bettina Mandla Sylvie Ciarán Anneke Nikhil Pilar Georg Yara Ronan Ilse Babak Esperança
  Jonas Adunni Marguerite Ferdinand Lakshmi Damian Oona Rémi Tatiana Cyril Nokuthula Alice Hassan Bianca Eero
  Manuela Theo Zsófia Gabriel Ursula Chinwe Leon Maja Ernesto Thora Vikram Charlotte Bogdan Amélie Rhys Soledad Jens
  Khadija Rupert Ilona Mikael Dalia Fergus Noémie Stanisław Keiko Alasdair Jacinta Beatrix Duarte Hedda Rashid Oriel
  Franz Marlene Sipho Lydia Guillermo Tove Cormac Ana Zdeněk Bridget Elif Maxime Runa Arthur Comfort Ilya Flora Sven
  Mónica Ibrahim Verity Andreas Chiara Lwazi Iris Mads Yolanda Håkon Selma Patrick Nandini Jaroslav Eva Kojo
  Millicent Enrique Signe Tadeusz Layla Ambrose Gudrun Javier Nell`

export const familyNames = `
  Marchetti Okafor Lindqvist Nowak Ferreira Haddad Castellanos O'Brien Yamamoto Bergström Achterberg Mensah
  Kowalczyk Delacroix Rasmussen Iyer Müller Fontaine Abara Novák Sørensen Whitfield Das Almeida Çelik Brandt
  Oyelaran Hughes Petrov Moreau Kaplan Nakamura Gonçalves Ashworth Vance Zielińska Aydın Ramírez Holloway Tanaka Eze
  Schröder Pemberton Rossi Nguyen Larsen Bianchi Farouk Costa Hartmann Adeyemi Quinn Dubois Ivanova Ortega Lund Sato
  Mbeki Hollis Vasquez Jansen Kariuki Greenwood Popescu Chowdhury Walsh Peña Strand Ito Lebrun Osei Fairweather
  Horvat Malik Cardoso Blum Reyes Thorne Watanabe Diallo Kessler Byrne Szabó Anand Lemaire Torres Nyström Boateng
  Calloway Rahman Voss Herrera Mahlangu Eklund Barreto Finch Kimura Stoica Gallagher Weiss Ndlovu Pires Hallström
  Choi Beaumont Farrell Krause Suleiman Ibáñez Lowell Aaltonen Banerjee Macleod Zhou Engel Obi Renard Sandoval Kjær
  Pritchard Takahashi Bello Wagner Tran Corrigan Stein Okoye Lefèvre Madsen Bose Arce Winterbourne Kang Romano Thiam
  Vogel Sharma Brennan Ćosić Mwangi Aguirre Falk Sutherland Park Benítez Hussein Olsen Marlowe Demir Kovács Bright
  Virtanen Carvalho Achebe Locke Ueda Fischer Guerrero Ekström Ali Penrose Roux Chukwu Baptiste Hale Jørgensen
  Rossetti Kaya Lim Trevelyan Barros Nair Hoffmann Doyle Asante Salgado Inoue Verma Blackwood Mercier Tshabalala
  Berg Leclerc Kuznetsova Shaw Figueroa Bakker Amin Norling Keita Redmond Santos Hayashi Wilde Grünwald Owusu Pascoe
  Velázquez Lang Sithole Arnaud Mistry Drummond Cruz Ziegler Adebayo Fleming Sousa Mori Haugen Karimi Prescott
  Navarro Bauer Sanneh Nightingale Rocha Vestergaard Chandra Loxley Maier Kamara Serrano Ogawa Wren Dragomir Azizi
  Teixeira Harcourt Jung Nkosi Laurent Medina Ostrowski Gill Svensson Phiri Calder Molina Fujita Aldridge Petit
  Sesay Roth Gupta Espinoza Birch Lombardi Traoré Kelleher Ahmadi Dahl Vieira Joyce Hashimoto Radcliffe Perrin
  Otieno Winkler Mendes Rao Sinclair Bosch Camara Tierney Matsuda Garrick Soto Wójcik Heikkinen`

export const cities = `
  London Lisbon Leeds Lagos Berlin Kyoto Glasgow Oslo Nairobi Porto Bristol Warsaw Málaga São_Paulo Accra Dublin
  Ghent Kraków Osaka Naples Cardiff Toronto Zürich Seville Belfast Prague Mumbai Utrecht Lyon Bogotá Helsinki Hull
  Istanbul Montréal Trieste Göteborg Durban Marseille Tallinn Seoul Valparaíso Łódź Antwerp Manchester Chennai
  Bilbao Malmö Cork Vienna Dakar Rotterdam Córdoba Sheffield Vilnius Hanoi Bologna Aarhus Medellín Dundee Budapest
  Beirut Genoa Tromsø Nantes Riga Kampala Leipzig Cádiz Plymouth Tbilisi Turin Besançon Stavanger Karachi Coimbra
  Swansea Brno Fukuoka Palermo Montevideo Rennes Lund Ljubljana Addis_Ababa Norwich Köln Reykjavík Guadalajara
  Thessaloniki Galway Basel Kigali Rouen Salamanca Bergen Penang Sarajevo Aberdeen Tampere Cusco Graz Limerick Tunis
  Groningen Verona Perth Sapporo Gdańsk Toulouse Porto_Alegre Inverness Lausanne Jaipur Odense Zaragoza Cluj Derry
  Mombasa Freiburg Lille Havana Bath Vigo Kaunas Adelaide Matera Uppsala Busan Nîmes Dresden Quito Wrexham Patras
  Salvador Linz Dunedin Amman Kilkenny Braga Nagoya Düsseldorf Mérida Arles Leicester Turku Izmir Halifax Bremen
  Oaxaca Ancona Whitby Luxembourg Kochi Évora San_Sebastián York Szeged Winnipeg Lecce Hobart Münster Asunción
  Falmouth Rijeka Bamako Carlisle Siena Trondheim`

/** Halves of names that nobody bears yet. */
export const surnameStarts = `
  Ash Thorn Hol Win Black Red Farn Wick Oster Lang Marsh Elm Cald Brack Hes Dun Fen Gar Hather Kings Lind Mel Nether
  Oak Pen Quil Raven Stan Tam Under Wain Whit Yar Alder Birk Cran Dray Ever Fair Grim Hag Ing Kil Lock Mor Nor Over
  Pres Ren Sel Trev Ul Ven Wes Bex Cor Dal Ed Fal Gil Hart Ives Jes Kel Mar Nay Orm Pol Rath Shel Thir Uff Vel Wy`
export const surnameEnds = `
  well bury ford worth ley combe stead croft by thwaite shaw ham hurst gate mere den field wood ridge stow wick
  brook more dale man son ston ling ner rick vale land over beck`
export const townEnds = `
  ton mouth minster bridge port haven chester cliffe holm fleet church sea garth gill ness pool wold ington bourne
  hithe kirk moor lake street`
export const firmStarts = `
  Lumo Veri Nord Caro Tessa Brio Hali Orbi Fenn Quill Mira Solu Tarn Vanta Kess Alto Penn Ravi Cinder Marlo Juni
  Oster Plin Delta Harbo Ivo Lark Moss Neva Opal Pico Roon Sable Tidal Umbra Vela Wren Yarro Zeph Bask Clov Dovet
  Ember Fable Grove Hush Indi Jasp Koda Loom Myrt Noct Otto Perch Quar Rill Stra Twill Ursa Vesp Whim Axi Bram Cob
  Drift Eider`
export const firmEnds = `
  ra line works ly base io lab mark stack wise nest ful craft path ware hub point ant ello ista form grid field
  light stone lane loop press port side way span ton well yard bird fold gate house`
